import { useSyncExternalStore } from 'react'
import { regional } from '../../platform/socket/region.ts'

const minute = 60_000
const day = 24 * 60 * minute

// Formatters are cached, because creating one takes about a hundred times as long as using it.
const formats = new Map<string, unknown>()
function shared<T>(key: string, make: () => T): T {
  if (!formats.has(key)) formats.set(key, make())
  return formats.get(key) as T
}

const relative = (language: string) =>
  shared(`relative ${language}`, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
const inMinutes = (language: string) =>
  shared(
    `minutes ${language}`,
    () => new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'short' }),
  )
function written(date: Date, language: string, options: Intl.DateTimeFormatOptions): string {
  const tag = regional(language)
  // The key includes the UTC offset, because a formatter keeps the time zone in which it was created.
  const key = `${tag} ${date.getTimezoneOffset()} ${JSON.stringify(options)}`
  return shared(key, () => new Intl.DateTimeFormat(tag, options)).format(date)
}

const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
const daysAgo = (then: Date, now: Date) => Math.round((midnight(now) - midnight(then)) / day)

export function dayWords(timestamp: string, now: Date, language: string): string {
  const then = new Date(timestamp)
  const ago = daysAgo(then, now)
  if (ago < 2) return capital(relative(language).format(-Math.max(ago, 0), 'day'), language)
  const year = then.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return written(then, language, { weekday: 'long', day: 'numeric', month: 'long', ...year })
}

export function rowTime(timestamp: string, now: Date, language: string): string {
  const then = new Date(timestamp)
  const age = now.getTime() - then.getTime()
  if (age < 60 * minute) {
    const minutes = Math.max(0, Math.floor(age / minute))
    if (minutes === 0) return relative(language).format(0, 'second')
    return inMinutes(language).format(minutes)
  }
  const ago = daysAgo(then, now)
  if (ago === 0) return clock(timestamp, language)
  if (ago === 1) return dayWords(timestamp, now, language)
  if (ago < 7) return written(then, language, { weekday: 'short' })
  return written(then, language, { day: 'numeric', month: 'short' })
}

// Memoized rows don't rerender as time passes, so a shared timer updates the times they show.
const looks = new Set<() => void>()
let minutes: ReturnType<typeof setInterval> | undefined
function everyMinute(look: () => void): () => void {
  looks.add(look)
  minutes ??= setInterval(() => {
    for (const one of looks) one()
  }, minute)
  return () => {
    looks.delete(look)
    if (looks.size > 0) return
    clearInterval(minutes)
    minutes = undefined
  }
}

export const useRowTime = (timestamp: string | undefined, language: string): string =>
  useSyncExternalStore(everyMinute, () => (timestamp ? rowTime(timestamp, new Date(), language) : ''))

export const useDayWords = (timestamp: string, language: string): string =>
  useSyncExternalStore(everyMinute, () => dayWords(timestamp, new Date(), language))

export const clock = (timestamp: string, language: string) =>
  written(new Date(timestamp), language, { hour: 'numeric', minute: '2-digit' })

export const weekdayAndTime = (timestamp: string, language: string) =>
  written(new Date(timestamp), language, { weekday: 'long', hour: 'numeric', minute: '2-digit' })

const capital = (text: string, language: string) => text.replace(/^./u, (first) => first.toLocaleUpperCase(language))
