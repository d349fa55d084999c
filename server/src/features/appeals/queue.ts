import type { AppealForReview } from '@duet/contract/appeals.ts'
import { cutPage, type PageRequest, readTimedPosition, timedPosition } from '../../platform/http/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { noteLooks } from '../audit/looks.ts'
import { claimsOn } from '../claims/claims.ts'
import { photosNamed } from '../photos/photos.ts'
import { reportedThings } from '../reports/queue.ts'
import { findSanctions, type SanctionRow } from '../sanctions/sanctions.queries.ts'
import { judgedView } from '../sanctions/sanctions.ts'
import { type AppealRow, countForOthers, findAppeals } from './appeals.queries.ts'

const list = 'appeals'

/**
 * The photo that a review rejected. A sanction from a report needs no photo, because the report has a copy as evidence.
 */
const photoOf = ({ item, report_id: report }: SanctionRow) =>
  item?.kind === 'photo' && report === null ? [item.fileName] : []

/** The sanctions that are being appealed, and as many of their reports as fit in a response. */
async function judgedIn(platform: Platform, viewerId: string, rows: readonly AppealRow[]) {
  const found = await findSanctions(
    platform.db,
    rows.map((row) => row.sanction_id),
  )
  const sanctions = new Map(found.map((row) => [row.id, row]))
  const reportsOf = (row: AppealRow) => [sanctions.get(row.sanction_id)?.report_id ?? []].flat()
  const things = await reportedThings(platform, viewerId, rows.flatMap(reportsOf))
  const cut = rows.findIndex((row) => reportsOf(row).some((id) => !things.has(id)))
  return { sanctions, things, fitting: cut === -1 ? rows.length : cut }
}

type Judged = Awaited<ReturnType<typeof judgedIn>>

async function aroundAppeals(platform: Platform, viewerId: string, rows: readonly AppealRow[], judged: Judged) {
  const ids = rows.map((row) => row.id)
  await noteLooks(platform, viewerId, 'appeals', ids)
  const sanctions = rows.flatMap((row) => judged.sanctions.get(row.sanction_id) ?? [])
  return {
    ...judged,
    photos: await photosNamed(platform, viewerId, sanctions.flatMap(photoOf)),
    claims: await claimsOn(platform, 'appeal', ids),
  }
}

function appealView(row: AppealRow, around: Awaited<ReturnType<typeof aroundAppeals>>): AppealForReview[] {
  const sanction = around.sanctions.get(row.sanction_id)
  if (!sanction) return []
  const [photo = ''] = photoOf(sanction)
  return [
    {
      id: row.id,
      text: row.text,
      claim: around.claims(row.id),
      createdAt: row.created_at.toISOString(),
      person: { id: row.user_id, name: row.name },
      sanction: judgedView(sanction),
      report: around.things.get(sanction.report_id ?? 0) ?? null,
      photo: around.photos.get(photo) ?? null,
    },
  ]
}

/**
 * A page of the open appeals that the viewer may decide, oldest first, and the number that only other administrators
 * may decide. Pages with a lot of evidence contain fewer appeals.
 */
export async function listAppeals(platform: Platform, viewerId: string, { cursor, limit }: PageRequest) {
  const after = readTimedPosition(platform.secrets, list, cursor)
  const rows = await findAppeals(platform.db, viewerId, after, limit + 1)
  const positionOf = (row: (typeof rows)[number]) => timedPosition(row.created_at, row.id)
  const judged = await judgedIn(platform, viewerId, rows)
  const most = Math.min(limit, judged.fitting)
  const { page, nextCursor } = cutPage(platform.secrets, list, { rows, limit: most, positionOf })
  const around = await aroundAppeals(platform, viewerId, page, judged)
  const { count, oldest } = await countForOthers(platform.db, viewerId)
  return {
    appeals: page.flatMap((row) => appealView(row, around)),
    nextCursor,
    forOthers: { count, oldestAt: oldest?.toISOString() ?? null },
  }
}
