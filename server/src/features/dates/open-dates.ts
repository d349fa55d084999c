import type { OpenDate } from '@duet/contract/dates.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { readFiles } from '../photos/photo-files.ts'
import { shownStates } from '../photos/photos.ts'
import { checkInState } from './check-in.ts'
import { hashOf, macIn } from './date-links.ts'
import { findOpenDate, insertDeclined } from './dates.queries.ts'

/** A small picture within the answer itself. */
async function picture(platform: Pick<Platform, 'storage'>, fileName: string | null): Promise<string | null> {
  const bytes = fileName === null ? undefined : await readFiles(platform, fileName, 320)
  return bytes ? `data:image/webp;base64,${bytes.toString('base64')}` : null
}

/** A date for anyone with its link. Throws not found for a token that is wrong, and for a date that is over or ended. */
export async function openDate(platform: Platform, token: string): Promise<OpenDate> {
  const hash = hashOf(token)
  const now = platform.clock.now()
  const row = hash && (await findOpenDate(platform.db, hash, shownStates(platform), now))
  if (!row) throw notFound()
  return {
    who: { name: row.name, photo: await picture(platform, row.photo) },
    with: row.with_name === null ? null : { name: row.with_name, photo: await picture(platform, row.with_photo) },
    place: row.place,
    at: row.at.toISOString(),
    note: row.note,
    checkIn: checkInState(row, now),
    checkInAt: row.check_in_at?.toISOString() ?? null,
    checkedInAt: row.checked_in_at?.toISOString() ?? null,
    expiresAt: row.expires_at.toISOString(),
  }
}

/** Mails nothing about dates to an address any more. Throws not found for a key that is not from a mail of ours. */
export async function declineContact(platform: Platform, key: string): Promise<void> {
  const mac = macIn(platform, key)
  if (!mac) throw notFound()
  await insertDeclined(platform.db, mac, platform.clock.now())
}
