import { regional } from '../../platform/region.ts'

const minute = 60_000
const day = 24 * 60 * minute

const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
const daysAgo = (then: Date, now: Date) => Math.round((midnight(now) - midnight(then)) / day)

/** The day of a message as a thread says it: today, yesterday, a weekday with its date. */
export function dayWords(timestamp: string, now: Date, language: string): string {
  const then = new Date(timestamp)
  const ago = daysAgo(then, now)
  if (ago < 2)
    return capital(
      new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.max(ago, 0), 'day'),
      language,
    )
  const year = then.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return then.toLocaleDateString(regional(language), { weekday: 'long', day: 'numeric', month: 'long', ...year })
}

/** The time of a message in a row, as short as it can be said. */
export function rowTime(timestamp: string, now: Date, language: string): string {
  const then = new Date(timestamp)
  const age = now.getTime() - then.getTime()
  if (age < 60 * minute) {
    const minutes = Math.max(0, Math.floor(age / minute))
    if (minutes === 0) return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second')
    return new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'short' }).format(minutes)
  }
  const ago = daysAgo(then, now)
  if (ago === 0) return clock(timestamp, language)
  if (ago === 1) return dayWords(timestamp, now, language)
  if (ago < 7) return then.toLocaleDateString(regional(language), { weekday: 'short' })
  return then.toLocaleDateString(regional(language), { day: 'numeric', month: 'short' })
}

/** The time of day. */
export const clock = (timestamp: string, language: string) =>
  new Date(timestamp).toLocaleTimeString(regional(language), { hour: 'numeric', minute: '2-digit' })

/** A time within the next days. */
export const weekdayAndTime = (timestamp: string, language: string) =>
  new Date(timestamp).toLocaleString(regional(language), { weekday: 'long', hour: 'numeric', minute: '2-digit' })

const capital = (text: string, language: string) => text.replace(/^./u, (first) => first.toLocaleUpperCase(language))
