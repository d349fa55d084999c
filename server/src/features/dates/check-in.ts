import type { CheckIn } from '@duet/contract/dates.ts'
import { promised } from '@duet/contract/promised.ts'
import { after, minutes } from '../../platform/clock.ts'
import type { DateRow } from './dates.queries.ts'

/** How long a person may take to answer before their contact is emailed. */
export const graceMinutes = promised.checkInGraceMinutes
/** A check-in this shortly before it is due counts as the answer; after an earlier one, the question is still asked. */
const earlyMinutes = 15

/** The collapse key of the question's notification, which the answer withdraws. */
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

/** Whether an email to the contact is being sent, or was when the process crashed. */
export const isUnderWay = (row: Contact) =>
  row.contact_email !== null && row.contact_tries > 0 && row.contact_told_at !== null

/** Whether the contact of a missed check-in hasn't been emailed yet, not counting an email that is being sent. */
export function isContactUntold(row: Contact): boolean {
  if (isAnswered(row)) return false
  if (row.contact_email === null) return row.contact_tries > 0 && row.contact_told_at === null
  return row.contact_tries > (row.contact_told_at === null ? 0 : 1)
}
