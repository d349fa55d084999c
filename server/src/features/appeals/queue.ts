import type { AppealForReview } from '@duet/contract/appeals.ts'
import { cutPage, type PageRequest, readTimedPosition, timedPosition } from '../../platform/http/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { noteLooks } from '../audit/looks.ts'
import { claimsOn } from '../claims/claims.ts'
import { reportedThings } from '../reports/queue.ts'
import { findSanctions } from '../sanctions/sanctions.queries.ts'
import { judgedView } from '../sanctions/sanctions.ts'
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

/** A page of the open appeals that the viewer may decide, oldest first, and how many are for another administrator. */
export async function listAppeals(platform: Platform, viewerId: string, { cursor, limit }: PageRequest) {
  const after = readTimedPosition(platform.secrets, list, cursor)
  const rows = await findAppeals(platform.db, viewerId, after, limit + 1)
  const positionOf = (row: (typeof rows)[number]) => timedPosition(row.created_at, row.id)
  const { page, nextCursor } = cutPage(platform.secrets, list, { rows, limit, positionOf })
  const around = await aroundAppeals(platform, viewerId, page)
  const { count, oldest } = await countForOthers(platform.db, viewerId)
  return {
    appeals: page.flatMap((row) => appealView(row, around)),
    nextCursor,
    forOthers: { count, oldestAt: oldest?.toISOString() ?? null },
  }
}
