import { randomUUID } from 'node:crypto'
import type { changeDate as Change, shareDate as Share, SharedDate } from '@duet/contract/dates.ts'
import type { ParsedRequestOf } from '@duet/contract/endpoint.ts'
import { promised } from '@duet/contract/promised.ts'
import { after, days, hours, minutes } from '../../platform/clock.ts'
import { conflict, invalid, notFound, suspended } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { withdraw } from '../notifications/notifications.ts'
import { firstPhotosOf, shownStates } from '../photos/photos.ts'
import { checkInState, isAnswered, isContactUntold, isUnderWay, keyOfDate } from './check-in.ts'
import { dateUrl, hashOf, tokenOf } from './date-links.ts'
import { readPicture } from './date-pictures.ts'
import {
  type DateRow,
  deleteDate,
  findCompany,
  findDates,
  insertDate,
  insertPicture,
  lockDate,
  type OwnDateRow,
  updateSharedDate,
} from './dates.queries.ts'
import { findDeclining } from './declined.ts'

const lifeAfterMs = hours(promised.dateAfterHours)
/** How far in the future a shared date can be. It can be moved at most this far past the time of sharing. */
const aheadMs = days(promised.dateAheadDays)

type Wanted = ParsedRequestOf<typeof Share>['body']
type Changed = ParsedRequestOf<typeof Change>['body']

/**
 * The date's time, its check-in and its expiry. Throws `validation_failed` if the date is more than 12 hours ago or too
 * far ahead.
 */
function timesOf(at: string, checkInMinutes: number | null, now: Date) {
  const when = new Date(at)
  if (!(when >= after(now, -hours(12)) && when <= after(now, aheadMs))) {
    throw invalid([{ path: 'at', message: `must be within the next ${promised.dateAheadDays} days` }])
  }
  const check_in_at = checkInMinutes === null ? null : after(when, minutes(checkInMinutes))
  return { at: when, check_in_at, expires_at: after(when, lifeAfterMs) }
}

/**
 * Throws `validation_failed` if the check-in is in the past, because the contact would be emailed before the person was
 * asked.
 */
function requireAhead({ check_in_at }: { check_in_at: Date | null }, now: Date): void {
  if (check_in_at && check_in_at < now)
    throw invalid([{ path: 'at', message: 'the check-in would already be over, so your contact couldn’t be emailed' }])
}

interface Seen {
  photo: Awaited<ReturnType<typeof firstPhotosOf>>[number]
  /** Whether the contact has declined emails since the date was shared. */
  isDeclined: boolean
  now: Date
}

function view(platform: Pick<Platform, 'secrets' | 'config'>, row: OwnDateRow, { photo, isDeclined, now }: Seen) {
  const time = (date: Date | null) => date?.toISOString() ?? null
  return {
    id: row.id,
    url: dateUrl(platform, row),
    with: row.with_id === null ? null : { id: row.with_id, name: row.with_name ?? '', photo: photo ?? null },
    withName: row.with_name,
    place: row.place,
    at: row.at.toISOString(),
    note: row.note,
    checkInMinutes: row.check_in_minutes as SharedDate['checkInMinutes'],
    checkInAt: time(row.check_in_at),
    checkIn: checkInState(row, now),
    checkedInAt: time(row.checked_in_at),
    contactEmail: isDeclined ? null : row.contact_email,
    contactToldAt: isUnderWay(row) ? null : time(row.contact_told_at),
    contactUntold: isContactUntold(row) || (isDeclined && !isAnswered(row)),
    expiresAt: row.expires_at.toISOString(),
  }
}

type Reading = Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>

export async function listDates(platform: Reading, viewerId: string): Promise<SharedDate[]> {
  const now = platform.clock.now()
  const rows = await findDates(platform.db, viewerId, now)
  const pairs = rows.map(({ with_id }) => ({ viewerId, userId: with_id ?? viewerId }))
  const photos = await firstPhotosOf(platform, pairs)
  const declining = await findDeclining(
    platform,
    rows.flatMap(({ contact_email }) => contact_email ?? []),
  )
  return rows.map((row, place) => {
    const isDeclined = row.contact_email !== null && declining.has(row.contact_email)
    return view(platform, row, { photo: photos[place], isDeclined, now })
  })
}

async function requireContact(platform: Platform, { contactEmail, checkInMinutes }: Wanted): Promise<void> {
  if (contactEmail === undefined) return
  if (checkInMinutes === undefined) throw invalid([{ path: 'contactEmail', message: 'needs checkInMinutes' }])
  if ((await findDeclining(platform, [contactEmail])).size > 0)
    throw conflict("This address doesn't want emails about dates.")
}

async function getCompany(platform: Platform, viewerId: string, userId: string) {
  const isPossible = isUuid(userId) && userId !== viewerId
  const company = isPossible && (await findCompany(platform.db, viewerId, userId, shownStates(platform)))
  if (!company) throw notFound()
  return company
}

/**
 * Shares a date. Until a day after the date, its link shows the date with the other person's current name and photo.
 * Throws not found for a person the viewer can't see, conflict if the contact has declined emails, and
 * `validation_failed` if the date is too far away or has a contact and a check-in in the past.
 */
export async function shareDate(platform: Platform, viewerId: string, wanted: Wanted): Promise<SharedDate> {
  const { withUserId, place, note = '', checkInMinutes = null, contactEmail = null } = wanted
  const now = platform.clock.now()
  const times = timesOf(wanted.at, checkInMinutes, now)
  const company = withUserId === undefined ? undefined : await getCompany(platform, viewerId, withUserId)
  await requireContact(platform, wanted)
  if (contactEmail !== null) requireAhead(times, now)
  const picture = await readPicture(platform, company?.photo ?? null)
  const id = randomUUID()
  const token_hash = hashOf(tokenOf(platform, id)) as Buffer
  await transaction(platform, async (tx) => {
    await insertDate(tx.db, {
      id,
      user_id: viewerId,
      with_user_id: withUserId ?? null,
      with_name: company?.name ?? null,
      token_hash,
      place,
      note,
      ...times,
      check_in_minutes: checkInMinutes,
      contact_email: contactEmail,
      created_at: now,
    })
    if (company?.photo && picture) await insertPicture(tx.db, id, company.photo, picture)
  })
  const shared = (await listDates(platform, viewerId)).find((date) => date.id === id)
  if (!shared) throw notFound()
  return shared
}

async function getDateForUpdate(tx: Tx, viewerId: string, id: string): Promise<DateRow> {
  const row = isUuid(id) ? await lockDate(tx.db, viewerId, id, tx.clock.now()) : undefined
  if (!row) throw notFound()
  return row
}

/**
 * Throws conflict if the check-in is over, because it was answered or its contact was emailed: by then the contact's
 * address is deleted, so nobody would be emailed about the moved date. Also throws if the new time is more than 60 days
 * after sharing. This limits how long a page can show the name of someone whose account is gone.
 */
function requireMovable(row: DateRow, moved: Date, now: Date): void {
  if (moved > after(row.created_at, aheadMs))
    throw conflict('This is too long after the date was shared. Share a new date.')
  const answered = isAnswered(row) && row.check_in_at !== null && row.check_in_at <= now
  const told = row.contact_email === null && row.contact_told_at !== null
  if (answered || told) throw conflict("This date's check-in is over. Share a new date.")
}

/** While an email is being sent, it isn't known whether the contact was emailed. */
const untilKnown = (row: DateRow) => (isUnderWay(row) ? { contact_told_at: null } : {})

/** A moved date gets a new check-in and its contact a new email, even while an email is being sent. */
function columnsOf(row: DateRow, { place, at, note }: Changed, now: Date): Partial<DateRow> {
  const moved = at === undefined ? undefined : timesOf(at, row.check_in_minutes, now)
  if (moved) requireMovable(row, moved.at, now)
  if (moved && row.contact_email !== null) requireAhead(moved, now)
  const asksAgain = moved?.check_in_at && moved.check_in_at > now
  return {
    ...(place !== undefined && { place }),
    ...(note !== undefined && { note }),
    ...moved,
    ...(asksAgain && { asked_at: null, checked_in_at: null, contact_tries: 0, ...untilKnown(row) }),
  }
}

/**
 * Changes or ends one of the viewer's dates. Throws not found for any other date; `validation_failed` for a time too
 * far away, or for a check-in in the past with a contact; conflict when moving a date whose check-in is over, or moving
 * it more than 60 days past sharing; and suspended if a banned person does anything but end the date, because their
 * page accepts no new text.
 */
export async function changeDate(
  platform: Platform,
  { id: viewerId, standing }: Pick<Viewer, 'id' | 'standing'>,
  id: string,
  change: Changed,
): Promise<SharedDate[]> {
  if (standing === 'banned' && !change.ended) throw suspended()
  await transaction(platform, async (tx) => {
    const row = await getDateForUpdate(tx, viewerId, id)
    const columns = columnsOf(row, change, tx.clock.now())
    if (change.ended) await deleteDate(tx.db, id)
    else if (Object.keys(columns).length > 0) await updateSharedDate(tx.db, id, columns)
    if (change.ended || columns.asked_at === null) await withdraw(tx, viewerId, keyOfDate(id))
  })
  return listDates(platform, viewerId)
}

/**
 * Records that the viewer is well. If the check-in is due, this answers it and deletes the contact's address. If it
 * isn't due yet, the date can still be moved, so the address is kept until half an hour after the check-in. Throws not
 * found.
 */
export async function checkIn(platform: Platform, viewerId: string, id: string): Promise<SharedDate[]> {
  await transaction(platform, async (tx) => {
    const row = await getDateForUpdate(tx, viewerId, id)
    const checked_in_at = tx.clock.now()
    const settled = row.check_in_at !== null && row.check_in_at <= checked_in_at
    await updateSharedDate(tx.db, id, { checked_in_at, ...(settled && { contact_email: null, ...untilKnown(row) }) })
    await withdraw(tx, viewerId, keyOfDate(id))
  })
  return listDates(platform, viewerId)
}
