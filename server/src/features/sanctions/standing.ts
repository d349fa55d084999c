import type { OwnAppeal, OwnSanction, OwnStanding } from '@duet/contract/sanctions.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { appealUntil } from './appeal-time.ts'
import { findSanctionsOf, findStanding, type SanctionRow } from './sanctions.queries.ts'
import { sanctionView } from './sanctions.ts'

const mostShown = 100

function appealView(row: SanctionRow): OwnAppeal | null {
  const { appeal_state: state, appeal_text: text, appeal_at: at, answer, answered_at: answeredAt } = row
  if (state === null || text === null || at === null) return null
  return { text, state, answer, createdAt: at.toISOString(), decidedAt: answeredAt?.toISOString() ?? null }
}

/** Whether a sanction can still be appealed. Lifted and reversed ones can't. */
export function mayAppeal(row: SanctionRow, now: Date): boolean {
  const standsOrStood = row.lifted_as === null || row.lifted_as === 'ended'
  return row.kind !== 'shadow' && row.appeal_state === null && standsOrStood && appealUntil(row.created_at) > now
}

function ownView(row: SanctionRow, now: Date): OwnSanction[] {
  const { kind, ...view } = sanctionView(row)
  if (kind === 'shadow') return []
  const until = mayAppeal(row, now) ? appealUntil(row.created_at).toISOString() : null
  return [{ ...view, kind, appeal: appealView(row), appealUntil: until }]
}

export async function getStanding(platform: Pick<Platform, 'db' | 'clock'>, viewerId: string): Promise<OwnStanding> {
  const account = await findStanding(platform.db, viewerId)
  if (!account) throw notFound()
  const rows = await findSanctionsOf(platform.db, viewerId, mostShown)
  const now = platform.clock.now()
  return {
    standing: account.standing,
    until: account.standing_until?.toISOString() ?? null,
    sanctions: rows.flatMap((row) => ownView(row, now)),
  }
}
