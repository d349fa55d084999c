const dayMs = 86_400_000

export const dayOf = (date: string) => Date.parse(date) / dayMs

const firstDay = -32_768
/** Caches the result for each day; 0 means not computed yet. */
const dateNumbers = new Int32Array(65_536)

/** Converts a day since 1970 to a number such as 20261121, so that ages can be computed by subtraction. */
export function dateNumber(day: number): number {
  const known = dateNumbers[day - firstDay]
  if (known) return known
  const date = new Date(day * dayMs)
  const number = date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
  dateNumbers[day - firstDay] = number
  return number
}

const halfLife = 7 * 86_400

/**
 * The weight of a person's pending likes on a day since 1970. `at` is when they were counted, in seconds since 1970.
 */
export const pendingOn = (day: number, pending: number, at: number) =>
  pending === 0 ? 0 : pending * 2 ** (-Math.max(0, day * 86_400 - at) / halfLife)
