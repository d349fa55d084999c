import { emailFaultOf } from '@duet/contract/email-address.ts'
import { limits } from '@duet/contract/limits.ts'
import { excessOf, isVisible } from '@duet/contract/written-text.ts'
import type { NewDate } from './dates.api.ts'

export interface DateDraft {
  place: string
  /** The value of a `datetime-local` field, in the device's time zone. */
  when: string
  note: string
  /** Minutes as text; empty for no check-in. */
  checkIn: string
  contact: string
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

export function fieldTime(date: Date): string {
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-')
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** Today at 19:00, or tomorrow if it is 18:00 or later. */
export function usualTime(now: Date): string {
  const when = new Date(now)
  when.setHours(19, 0, 0, 0)
  if (now.getHours() >= 18) when.setDate(when.getDate() + 1)
  return fieldTime(when)
}

export const emptyDraft = (now: Date): DateDraft => ({
  place: '',
  when: usualTime(now),
  note: '',
  checkIn: '60',
  contact: '',
})

/** `long` means that a field is too long; that field shows its own message. */
export type DateProblem = 'place' | 'long' | 'when' | 'contact'
const hourMs = 3_600_000

/** Returns a draft's first problem. The time may be in the past if it equals `unmoved`. */
export function problemOf(
  { place, when, note, contact, checkIn }: DateDraft,
  now: Date,
  unmoved?: string,
): DateProblem | undefined {
  if (!isVisible(place)) return 'place'
  if (excessOf(place, limits.datePlaceLength) + excessOf(note, limits.dateNoteLength) > 0) return 'long'
  const at = Date.parse(when)
  const isSoon = at >= now.getTime() - 12 * hourMs && at <= now.getTime() + 60 * 24 * hourMs
  if (!isSoon && when !== unmoved) return 'when'
  return checkIn !== '' && contact.trim() !== '' && emailFaultOf(contact) !== undefined ? 'contact' : undefined
}

export function newDateOf({ place, when, note, checkIn, contact }: DateDraft, withUserId?: string): NewDate {
  return {
    place: place.trim(),
    at: new Date(when).toISOString(),
    ...(note.trim() && { note: note.trim() }),
    ...(withUserId && { withUserId }),
    ...(checkIn && { checkInMinutes: Number(checkIn) as NewDate['checkInMinutes'] }),
    ...(checkIn && contact.trim() && { contactEmail: contact.trim() }),
  }
}
