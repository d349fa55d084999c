import { randomUUID } from 'node:crypto'
import type { changeDate as Change, shareDate as Share, SharedDate } from '@duet/contract/dates.ts'
import type { ParsedRequestOf } from '@duet/contract/endpoint.ts'
import { after, days, hours, minutes } from '../../platform/clock.ts'
import { conflict, invalid, notFound, suspended } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Viewer } from '../../platform/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { withdraw } from '../notifications/notifications.ts'
import { firstPhotosOf } from '../photos/photos.ts'
import { checkInState, isAnswered, keyOfDate } from './check-in.ts'
import { dateUrl, hashOf, macOf, macsOf, tokenOf } from './date-links.ts'
import {
  type DateRow,
  deleteDate,
  findDates,
  insertDate,
  isDeclined,
  isSeen,
  lockDate,
  type OwnDateRow,
  updateDate,
} from './dates.queries.ts'

export { watchDates } from './date-watch.ts'
export { declineContact, openDate } from './open-dates.ts'

const shares = { name: 'shared_dates', points: 10, seconds: days(1) / 1000 }
const changes = { name: 'date_changes', points: 60, seconds: 3_600 }
const perContact = { name: 'date_contacts', points: 5, seconds: days(1) / 1000 }
const lifeAfterMs = hours(24)

type Wanted = ParsedRequestOf<typeof Share>['body']
type Changed = ParsedRequestOf<typeof Change>['body']

/** When a date is, and what follows from that. Throws invalid for what is long over or very far. */
function timesOf(at: string, checkInMinutes: number | null, now: Date) {
  const when = new Date(at)
  if (!(when >= after(now, -hours(12)) && when <= after(now, days(60)))) {
    throw invalid([{ path: 'at', message: 'must be within the next 60 days' }])
  }
  const check_in_at = checkInMinutes === null ? null : after(when, minutes(checkInMinutes))
  return { at: when, check_in_at, expires_at: after(when, lifeAfterMs) }
}

type Photos = Awaited<ReturnType<typeof firstPhotosOf>>

function view(platform: Pick<Platform, 'secrets' | 'config'>, row: OwnDateRow, photo: Photos[number], now: Date) {
  const time = (date: Date | null) => date?.toISOString() ?? null
  return {
    id: row.id,
    url: dateUrl(platform, row),
    with: row.with_id === null ? null : { id: row.with_id, name: row.with_name ?? '', photo: photo ?? null },
    place: row.place,
    at: row.at.toISOString(),
    note: row.note,
    checkInMinutes: row.check_in_minutes as SharedDate['checkInMinutes'],
    checkInAt: time(row.check_in_at),
    checkIn: checkInState(row, now),
    checkedInAt: time(row.checked_in_at),
    contactEmail: row.contact_email,
    // While there is an address, somebody is at it.
    contactToldAt: row.contact_email === null ? time(row.contact_told_at) : null,
    expiresAt: row.expires_at.toISOString(),
  }
}

type Reading = Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>

/** The dates that the viewer shares, next first. */
export async function listDates(platform: Reading, viewerId: string): Promise<SharedDate[]> {
  const now = platform.clock.now()
  const rows = await findDates(platform.db, viewerId, now)
  const pairs = rows.map(({ with_id }) => ({ viewerId, userId: with_id ?? viewerId }))
  const photos = await firstPhotosOf(platform, pairs)
  return rows.map((row, place) => view(platform, row, photos[place], now))
}

async function requireContact(platform: Platform, { contactEmail, checkInMinutes }: Wanted): Promise<void> {
  if (contactEmail === undefined) return
  if (checkInMinutes === undefined) throw invalid([{ path: 'contactEmail', message: 'needs checkInMinutes' }])
  if (await isDeclined(platform.db, macsOf(platform, contactEmail)))
    throw conflict('This address does not want to be mailed about dates.')
  await platform.limits.spend(perContact, macOf(platform, contactEmail).toString('base64url'))
}

/**
 * Shares a date: whoever has its link sees it until a day after. Throws not found for a person the viewer does not see,
 * conflict for a contact who does not want to be mailed, invalid for a time far away, `rate_limited` after ten a day.
 */
export async function shareDate(platform: Platform, viewerId: string, wanted: Wanted): Promise<SharedDate> {
  const { withUserId, place, note = '', checkInMinutes = null, contactEmail = null } = wanted
  const now = platform.clock.now()
  const times = timesOf(wanted.at, checkInMinutes, now)
  if (withUserId !== undefined) {
    const isThere = isUuid(withUserId) && withUserId !== viewerId
    if (!isThere || !(await isSeen(platform.db, viewerId, withUserId))) throw notFound()
  }
  await platform.limits.spend(shares, viewerId)
  await requireContact(platform, wanted)
  const id = randomUUID()
  await insertDate(platform.db, {
    ...{ id, user_id: viewerId, with_user_id: withUserId ?? null, token_hash: hashOf(tokenOf(platform, id)) as Buffer },
    ...{ place, note, ...times, check_in_minutes: checkInMinutes, contact_email: contactEmail, created_at: now },
  })
  const shared = (await listDates(platform, viewerId)).find((date) => date.id === id)
  if (!shared) throw notFound()
  return shared
}

async function takeDate(tx: Tx, viewerId: string, id: string): Promise<DateRow> {
  const row = isUuid(id) ? await lockDate(tx.db, viewerId, id, tx.clock.now()) : undefined
  if (!row) throw notFound()
  return row
}

/** A date that moved is asked about anew. */
function columnsOf(row: DateRow, { place, at, note }: Changed, now: Date): Partial<DateRow> {
  const moved = at === undefined ? undefined : timesOf(at, row.check_in_minutes, now)
  const asksAgain = moved?.check_in_at && moved.check_in_at > now
  return {
    ...(place !== undefined && { place }),
    ...(note !== undefined && { note }),
    ...moved,
    ...(asksAgain && { asked_at: null, checked_in_at: null }),
  }
}

/**
 * Changes one of the viewer's dates, or ends it. Throws not found for any other, invalid for a time far away, and
 * suspended for somebody banned who does more than end it: a page of theirs says nothing new.
 */
export async function changeDate(
  platform: Platform,
  { id: viewerId, standing }: Pick<Viewer, 'id' | 'standing'>,
  id: string,
  change: Changed,
): Promise<SharedDate[]> {
  if (standing === 'banned' && !change.ended) throw suspended()
  await platform.limits.spend(changes, viewerId)
  await transaction(platform, async (tx) => {
    const row = await takeDate(tx, viewerId, id)
    const columns = columnsOf(row, change, tx.clock.now())
    if (change.ended) await deleteDate(tx.db, id)
    else if (Object.keys(columns).length > 0) await updateDate(tx.db, id, columns)
    if (change.ended || columns.asked_at === null) await withdraw(tx, viewerId, keyOfDate(id))
  })
  return listDates(platform, viewerId)
}

/** Notes that the viewer is well. Who would have been mailed need not be, so their address goes. Throws not found. */
export async function checkIn(platform: Platform, viewerId: string, id: string): Promise<SharedDate[]> {
  await platform.limits.spend(changes, viewerId)
  await transaction(platform, async (tx) => {
    const row = await takeDate(tx, viewerId, id)
    const checked_in_at = tx.clock.now()
    const settled = isAnswered({ ...row, checked_in_at })
    await updateDate(tx.db, id, { checked_in_at, ...(settled && { contact_email: null }) })
    await withdraw(tx, viewerId, keyOfDate(id))
  })
  return listDates(platform, viewerId)
}
