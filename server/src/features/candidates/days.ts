const dayMs = 86_400_000

/** Days since 1970 of a date (`YYYY-MM-DD`). */
export const dayOf = (date: string) => Date.parse(date) / dayMs

const firstDay = -32_768
/** By day; 0 is not yet known. */
const dateNumbers = new Int32Array(65_536)

/** The date of a day since 1970 as one number, so that ages are a subtraction: 20261121. */
export function dateNumber(day: number): number {
  const known = dateNumbers[day - firstDay]
  if (known) return known
  const date = new Date(day * dayMs)
  const number = date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
  dateNumbers[day - firstDay] = number
  return number
}

const halfLife = 7 * 86_400

/** What is left of the impressions of a person that were pending at a time (seconds) on a day since 1970. */
export const pendingOn = (day: number, pending: number, at: number) =>
  pending === 0 ? 0 : pending * 2 ** (-Math.max(0, day * 86_400 - at) / halfLife)
