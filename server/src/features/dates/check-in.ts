import type { CheckIn } from '@duet/contract/dates.ts'
import { promised } from '@duet/contract/promised.ts'
import { after, minutes } from '../../platform/clock.ts'
import type { DateRow } from './dates.queries.ts'

export const graceMinutes = promised.checkInGraceMinutes
/**
 * Checking in at most this long before the check-in is due counts as the answer. After an earlier one, the person is
 * still asked.
 */
const earlyMinutes = 15

/** The collapse key of the notification that asks someone to check in. Answering withdraws it. */
export const keyOfDate = (id: string) => `date:${id}`

type Asked = Pick<DateRow, 'check_in_at' | 'checked_in_at'>

export function isAnswered({ check_in_at, checked_in_at }: Asked): boolean {
  return check_in_at !== null && checked_in_at !== null && checked_in_at >= after(check_in_at, -minutes(earlyMinutes))
}

/**
 * The state of a check-in at a time. Depends only on the clock, not on whether notifications and emails were on time.
 */
export function checkInState(row: Asked, now: Date): CheckIn {
  if (row.check_in_at === null) return row.checked_in_at ? 'checked_in' : 'none'
  if (isAnswered(row)) return 'checked_in'
  if (now < row.check_in_at) return 'waiting'
  return now < after(row.check_in_at, minutes(graceMinutes)) ? 'due' : 'missed'
}

type Contact = Asked & Pick<DateRow, 'contact_email' | 'contact_tries' | 'contact_told_at'>

/** Whether an email to the contact is being sent, or was being sent when the process crashed. */
export const isUnderWay = (row: Contact) =>
  row.contact_email !== null && row.contact_tries > 0 && row.contact_told_at !== null

/**
 * Whether the contact hasn't been emailed about a missed check-in. An email that is being sent doesn't count as sent.
 */
export function isContactUntold(row: Contact): boolean {
  if (isAnswered(row)) return false
  if (row.contact_email === null) return row.contact_tries > 0 && row.contact_told_at === null
  return row.contact_tries > (row.contact_told_at === null ? 0 : 1)
}
