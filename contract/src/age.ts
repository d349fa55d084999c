/*
 * Don't import zod here: the web app loads this file at runtime.
 */

/** Returns the date in a time zone as YYYY-MM-DD. Throws a `RangeError` for an unknown time zone. */
export function dateIn(timeZone: string, moment: Date): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]))
  return `${parts.year}-${parts.month}-${parts.day}`
}

/**
 * Age in full years. Both dates are YYYY-MM-DD. In common years, people born on 29 February turn a year older on 1
 * March.
 */
export function ageOn(birthDate: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return years - (today.slice(5) < birthDate.slice(5) ? 1 : 0)
}
