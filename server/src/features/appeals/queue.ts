import type { AppealForReview } from '@duet/contract/appeals.ts'
import { readCursor, writeCursor } from '../../platform/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { claimsOn, findSanctions, judgedView, noteLooks } from '../moderation/moderation.ts'
import { reportedThings } from '../reports/reports.ts'
import { type AppealRow, countForOthers, findAppeals } from './appeals.queries.ts'

const list = 'appeals'

/** Everything about a page of appeals that is not in the appeals themselves. */
async function aroundAppeals(platform: Platform, viewerId: string, rows: readonly AppealRow[]) {
  const sanctions = await findSanctions(
    platform.db,
    rows.map((row) => row.sanction_id),
  )
  const ids = rows.map((row) => row.id)
  await noteLooks(platform, viewerId, 'appeals', ids)
  return {
    sanctions: new Map(sanctions.map((row) => [row.id, row])),
    things: await reportedThings(
      platform,
      viewerId,
      sanctions.flatMap((row) => row.report_id ?? []),
    ),
    claims: await claimsOn(platform, 'appeal', ids),
  }
}

function appealView(row: AppealRow, around: Awaited<ReturnType<typeof aroundAppeals>>): AppealForReview[] {
  const sanction = around.sanctions.get(row.sanction_id)
  if (!sanction) return []
  return [
    {
      ...{ id: row.id, text: row.text, claim: around.claims(row.id) },
      createdAt: row.created_at.toISOString(),
      person: { id: row.user_id, name: row.name },
      sanction: judgedView(sanction),
      report: around.things.get(sanction.report_id ?? 0) ?? null,
    },
  ]
}

/** A page of the open appeals that the viewer may decide, oldest first, and how many somebody else has to. */
export async function listAppeals(
  platform: Platform,
  viewerId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
) {
  const [at, id] = cursor ? readCursor(platform.secrets, list, cursor) : []
  const after = cursor ? { at: String(at), id: String(id) } : undefined
  const rows = await findAppeals(platform.db, viewerId, after, limit + 1)
  const page = rows.slice(0, limit)
  const around = await aroundAppeals(platform, viewerId, page)
  const last = rows.length > limit ? page.at(-1) : undefined
  const { count, oldest } = await countForOthers(platform.db, viewerId)
  return {
    appeals: page.flatMap((row) => appealView(row, around)),
    nextCursor: last ? writeCursor(platform.secrets, list, [last.created_at.toISOString(), last.id]) : null,
    forOthers: { count, oldestAt: oldest?.toISOString() ?? null },
  }
}
