import { ageOn } from '@duet/contract/age.ts'
import { limits } from '@duet/contract/limits.ts'

export interface BirthParts {
  day: string
  month: string
  year: string
}

export function toIsoDate({ day, month, year }: BirthParts): string | undefined {
  if (!/^\d{1,2}$/.test(day) || !/^\d{1,2}$/.test(month) || !/^\d{4}$/.test(year)) return undefined
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined
}

const dateHere = (now: Date) => new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)

export type BirthVerdict = { kind: 'unfinished' | 'wrong' | 'young' } | { kind: 'adult'; isoDate: string; age: number }

/** Uses the device's clock and time zone. */
export function judgeBirth(parts: BirthParts, now: Date): BirthVerdict {
  if (!parts.day || !parts.month || parts.year.length < 4) return { kind: 'unfinished' }
  const isoDate = toIsoDate(parts)
  const age = isoDate === undefined ? -1 : ageOn(isoDate, dateHere(now))
  if (isoDate === undefined || age < 0 || age > limits.oldestAge) return { kind: 'wrong' }
  return age < limits.adultAge ? { kind: 'young' } : { kind: 'adult', isoDate, age }
}
