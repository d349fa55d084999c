import type { OpenDate } from '@duet/contract/dates.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { shownStates } from '../photos/photos.ts'
import { checkInState } from './check-in.ts'
import { hashOf, macIn } from './date-links.ts'
import { readPicture } from './date-pictures.ts'
import { findOpenDate, insertDeclined } from './dates.queries.ts'

const dataUrl = (bytes: Buffer | undefined) => (bytes ? `data:image/webp;base64,${bytes.toString('base64')}` : null)

/** A date for anyone with its link. Throws not found if the token is wrong, or the date has ended or expired. */
export async function openDate(platform: Platform, token: string): Promise<OpenDate> {
  const hash = hashOf(token)
  const now = platform.clock.now()
  const row = hash && (await findOpenDate(platform.db, hash, shownStates(platform), now))
  if (!row) throw notFound()
  const [own, other] = await Promise.all([
    readPicture(platform, row.photo),
    row.with_picture ?? readPicture(platform, row.with_photo),
  ])
  return {
    who: { name: row.name, photo: dataUrl(own) },
    with: row.with_name === null ? null : { name: row.with_name, photo: dataUrl(other) },
    place: row.place,
    at: row.at.toISOString(),
    note: row.note,
    checkIn: checkInState(row, now),
    checkInAt: row.check_in_at?.toISOString() ?? null,
    checkedInAt: row.checked_in_at?.toISOString() ?? null,
    expiresAt: row.expires_at.toISOString(),
  }
}

/** Stops emails about dates to an address. Throws not found for a key that isn't from one of our emails. */
export async function declineContact(platform: Platform, key: string): Promise<void> {
  const mac = macIn(platform, key)
  if (!mac) throw notFound()
  await insertDeclined(platform.db, mac, platform.clock.now())
}
