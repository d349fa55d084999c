import { z } from 'zod'
import { Email } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp, UserId } from './ids.ts'
import { checkInMinutes, limits } from './limits.ts'
import { Photo } from './photos.ts'
import { line, optionalProse } from './prose.ts'
import { rateLimits } from './rate-limits.ts'

const CheckInMinutes = z.literal([...checkInMinutes])

/**
 * `waiting` until the check-in is due, `due` for the next half hour, then `missed`. `none` if the owner didn't request
 * a check-in.
 */
export const CheckIn = z.enum(['none', 'waiting', 'due', 'missed', 'checked_in'])
export type CheckIn = z.infer<typeof CheckIn>

/**
 * A shared date as its owner sees it. `with` is null if the owner named no one, or once the named person's account is
 * deleted. `withName`, the first name shown on the page, is stored until the date ends.
 */
export const SharedDate = z.object({
  id: z.string(),
  url: z.string(),
  with: z.object({ id: UserId, name: z.string(), photo: Photo.nullable() }).nullable(),
  withName: z.string().nullable(),
  place: z.string(),
  at: Timestamp,
  note: z.string(),
  checkInMinutes: CheckInMinutes.nullable(),
  checkInAt: Timestamp.nullable(),
  checkIn: CheckIn,
  checkedInAt: Timestamp.nullable(),
  /** Null once Duet no longer needs the address, or if the contact opted out of these emails. */
  contactEmail: z.string().nullable(),
  /** When the contact was last emailed. If the date has been rescheduled since, `contactEmail` is set as well. */
  contactToldAt: Timestamp.nullable(),
  /**
   * True if the check-in was missed and the contact hasn't been emailed yet, or if the contact opted out of these
   * emails (which is known before the check-in). Failed emails are retried until `expiresAt`.
   */
  contactUntold: z.boolean(),
  expiresAt: Timestamp,
})
export type SharedDate = z.infer<typeof SharedDate>

const DateList = z.object({ dates: z.array(SharedDate) })
const params = z.object({ id: z.string() })
const Place = line(limits.datePlaceLength)
const Note = optionalProse(limits.dateNoteLength)

export const shareDate = endpoint({
  method: 'POST',
  path: '/api/dates',
  summary:
    'Tell someone you trust about a date: gives a link that works without an account until a day after; ten a day.',
  access: 'member',
  limit: rateLimits.sharedDates,
  body: z.strictObject({
    withUserId: UserId.optional(),
    place: Place,
    at: Timestamp,
    note: Note.optional(),
    checkInMinutes: CheckInMinutes.optional(),
    /** Gets one email for each missed check-in. Requires `checkInMinutes` and a check-in time in the future. */
    contactEmail: Email.optional(),
  }),
  status: 201,
  response: SharedDate,
  errors: ['not_found', 'conflict', 'rate_limited'],
})

export const listDates = endpoint({
  method: 'GET',
  path: '/api/dates',
  summary: 'The dates I share, next first.',
  access: 'member',
  standing: 'suspended',
  response: DateList,
})

export const changeDate = endpoint({
  method: 'PATCH',
  path: '/api/dates/:id',
  summary: 'Change where and when, or end it: the link leads nowhere from then on.',
  access: 'member',
  limit: rateLimits.dateChanges,
  standing: 'suspended',
  params,
  body: z.strictObject({
    place: Place.optional(),
    at: Timestamp.optional(),
    note: Note.optional(),
    ended: z.literal(true).optional(),
  }),
  response: DateList,
  errors: ['not_found', 'conflict', 'suspended', 'rate_limited'],
})

export const checkIn = endpoint({
  method: 'POST',
  path: '/api/dates/:id/checkIn',
  summary: 'Say that I am well; everyone with the link reads when.',
  access: 'member',
  limit: rateLimits.dateChanges,
  standing: 'suspended',
  params,
  response: DateList,
  errors: ['not_found', 'rate_limited'],
})

/** The photo is a data URL, because a signed link to the photo could outlive the page. */
const NameAndPhoto = z.object({ name: z.string(), photo: z.string().nullable() })

export const OpenDate = z.object({
  who: NameAndPhoto,
  with: NameAndPhoto.nullable(),
  place: z.string(),
  at: Timestamp,
  note: z.string(),
  checkIn: CheckIn,
  checkInAt: Timestamp.nullable(),
  checkedInAt: Timestamp.nullable(),
  expiresAt: Timestamp,
})
export type OpenDate = z.infer<typeof OpenDate>

export const openDate = endpoint({
  method: 'GET',
  path: '/api/shared-dates/:token',
  summary: 'A date that someone shared, for anyone with its link. Wrong, over and ended are the same 404.',
  access: 'public',
  limit: rateLimits.openDates,
  params: z.object({ token: z.string() }),
  response: OpenDate,
  errors: ['not_found', 'rate_limited'],
})

export const declineContact = endpoint({
  method: 'POST',
  path: '/api/declined-contacts',
  summary: 'Send no more mails about dates to an address, by the key that came with one.',
  access: 'public',
  limit: rateLimits.declinedContacts,
  body: z.strictObject({ key: z.string().max(100) }),
  response: Done,
  errors: ['not_found', 'rate_limited'],
})

export const dateEndpoints = [shareDate, listDates, changeDate, checkIn, openDate, declineContact] as const
