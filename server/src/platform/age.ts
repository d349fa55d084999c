import { ageOn, dateIn } from '@duet/contract/age.ts'
import { limits } from '@duet/contract/limits.ts'

const dateInUtc = (now: Date) => now.toISOString().slice(0, 10)

/** Today's date in a person's time zone as YYYY-MM-DD, or in UTC if the zone is missing or unknown. */
export function theirDate(timeZone: string | undefined, now: Date): string {
  // `Intl` also accepts offsets up to `+23:59`, far more than any real time zone.
  if (timeZone === undefined || /^[+-]/.test(timeZone)) return dateInUtc(now)
  try {
    return dateIn(timeZone, now)
  } catch (error) {
    if (error instanceof RangeError) return dateInUtc(now)
    throw error
  }
}

/**
 * The age that others see, by the date in UTC. At least 18, because people sign up by the date in their own time zone,
 * which can be hours ahead of UTC.
 */
export const shownAge = (birthDate: string, now: Date): number =>
  Math.max(limits.adultAge, ageOn(birthDate, dateInUtc(now)))
