import { limits } from '@duet/contract/limits.ts'

export interface BirthParts {
  day: string
  month: string
  year: string
}

/** The date as YYYY-MM-DD, or undefined while it is no day of the calendar. */
export function toIsoDate({ day, month, year }: BirthParts): string | undefined {
  if (!/^\d{1,2}$/.test(day) || !/^\d{1,2}$/.test(month) || !/^\d{4}$/.test(year)) return undefined
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined
}

/** Full years lived on `today`, by the calendar. */
export function ageOn(isoDate: string, today: Date): number {
  const [year = 0, month = 1, day = 1] = isoDate.split('-').map(Number)
  const before = today.getMonth() + 1 < month || (today.getMonth() + 1 === month && today.getDate() < day)
  return today.getFullYear() - year - (before ? 1 : 0)
}

export type BirthVerdict = { kind: 'unfinished' | 'wrong' | 'young' } | { kind: 'adult'; isoDate: string; age: number }

/** What to make of the three fields so far. */
export function judgeBirth(parts: BirthParts, today: Date): BirthVerdict {
  if (!parts.day || !parts.month || parts.year.length < 4) return { kind: 'unfinished' }
  const isoDate = toIsoDate(parts)
  const age = isoDate === undefined ? -1 : ageOn(isoDate, today)
  if (isoDate === undefined || age < 0 || age > limits.oldestAge) return { kind: 'wrong' }
  return age < limits.adultAge ? { kind: 'young' } : { kind: 'adult', isoDate, age }
}
