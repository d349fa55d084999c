import { randomUUID } from 'node:crypto'
import type { changeDate as Change, shareDate as Share, SharedDate } from '@duet/contract/dates.ts'
import type { ParsedRequestOf } from '@duet/contract/endpoint.ts'
import { after, days, hours, minutes } from '../../platform/clock.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid, notFound, suspended } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { withdraw } from '../notifications/notifications.ts'
import { firstPhotosOf } from '../photos/photos.ts'
import { checkInState, isAnswered, isContactUntold, keyOfDate } from './check-in.ts'
import { dateUrl, hashOf, macsOf, tokenOf } from './date-links.ts'
import {
  type DateRow,
  deleteDate,
  findDates,
  insertDate,
  isDeclined,
  isSeen,
  lockDate,
  type OwnDateRow,
  updateSharedDate,
} from './dates.queries.ts'

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

/** Throws invalid when a contact would be mailed before the person was asked: the check-in has to be ahead. */
function requireAhead({ check_in_at }: { check_in_at: Date | null }, now: Date): void {
  if (check_in_at && check_in_at < now)
    throw invalid([{ path: 'at', message: 'the check-in would already be over, so your contact couldn’t be emailed' }])
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
    // While there is an address, a process is at it.
    contactToldAt: row.contact_email === null ? time(row.contact_told_at) : null,
    contactUntold: isContactUntold(row),
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
    throw conflict("This address doesn't want emails about dates.")
}

/**
 * Shares a date: people with its link see it until a day after. Throws not found for a person the viewer does not see,
 * conflict for a contact who does not want to be mailed, invalid for a time far away and for a contact of a check-in that
 * is over already.
 */
export async function shareDate(platform: Platform, viewerId: string, wanted: Wanted): Promise<SharedDate> {
  const { withUserId, place, note = '', checkInMinutes = null, contactEmail = null } = wanted
  const now = platform.clock.now()
  const times = timesOf(wanted.at, checkInMinutes, now)
  if (withUserId !== undefined) {
    const isThere = isUuid(withUserId) && withUserId !== viewerId
    if (!isThere || !(await isSeen(platform.db, viewerId, withUserId))) throw notFound()
  }
  await requireContact(platform, wanted)
  if (contactEmail !== null) requireAhead(times, now)
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

/**
 * Throws conflict once a check-in is over, answered or with its contact told: the address of the contact is gone by then,
 * and no one would be told of the moved date.
 */
function requireOpen(row: DateRow, now: Date): void {
  const answered = isAnswered(row) && row.check_in_at !== null && row.check_in_at <= now
  const told = row.contact_email === null && row.contact_told_at !== null
  if (answered || told) throw conflict("This date's check-in is over. Share a new date.")
}

/** A date that moved is asked about anew. */
function columnsOf(row: DateRow, { place, at, note }: Changed, now: Date): Partial<DateRow> {
  const moved = at === undefined ? undefined : timesOf(at, row.check_in_minutes, now)
  if (moved) requireOpen(row, now)
  if (moved && row.contact_email !== null) requireAhead(moved, now)
  const asksAgain = moved?.check_in_at && moved.check_in_at > now
  return {
    ...(place !== undefined && { place }),
    ...(note !== undefined && { note }),
    ...moved,
    ...(asksAgain && { asked_at: null, checked_in_at: null, contact_tries: 0 }),
  }
}

/**
 * Changes one of the viewer's dates, or ends it. Throws not found for any other; invalid for a time far away, and for one
 * whose check-in would be over while a contact waits; conflict for moving a date whose check-in is over; and suspended for
 * a banned person who does more than end it: their page says nothing new.
 */
export async function changeDate(
  platform: Platform,
  { id: viewerId, standing }: Pick<Viewer, 'id' | 'standing'>,
  id: string,
  change: Changed,
): Promise<SharedDate[]> {
  if (standing === 'banned' && !change.ended) throw suspended()
  await transaction(platform, async (tx) => {
    const row = await takeDate(tx, viewerId, id)
    const columns = columnsOf(row, change, tx.clock.now())
    if (change.ended) await deleteDate(tx.db, id)
    else if (Object.keys(columns).length > 0) await updateSharedDate(tx.db, id, columns)
    if (change.ended || columns.asked_at === null) await withdraw(tx, viewerId, keyOfDate(id))
  })
  return listDates(platform, viewerId)
}

/**
 * Notes that the viewer is well. Once the check-in is due, that settles it and the address of the contact goes; before, the
 * date may still be moved, and the address stays until half an hour after the check-in. Throws not found.
 */
export async function checkIn(platform: Platform, viewerId: string, id: string): Promise<SharedDate[]> {
  await transaction(platform, async (tx) => {
    const row = await takeDate(tx, viewerId, id)
    const checked_in_at = tx.clock.now()
    const settled = row.check_in_at !== null && row.check_in_at <= checked_in_at
    await updateSharedDate(tx.db, id, { checked_in_at, ...(settled && { contact_email: null }) })
    await withdraw(tx, viewerId, keyOfDate(id))
  })
  return listDates(platform, viewerId)
}
