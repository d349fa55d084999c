import { regional } from '../../platform/socket/region.ts'

const inFull = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' } as const

export function momentIn(language: string, timestamp: string): string {
  return new Intl.DateTimeFormat(regional(language), { ...inFull, timeZoneName: 'short' }).format(new Date(timestamp))
}

/** Like `momentIn`, but without the time zone, for the person who shares the date. */
export function momentHere(language: string, timestamp: string): string {
  return new Intl.DateTimeFormat(regional(language), inFull).format(new Date(timestamp))
}

/** The time, preceded by the day unless it's today. */
export function timeIn(language: string, timestamp: string, now: Date): string {
  const then = new Date(timestamp)
  const time = { hour: 'numeric', minute: '2-digit' } as const
  const day = then.toDateString() === now.toDateString() ? {} : ({ weekday: 'short', day: 'numeric' } as const)
  return new Intl.DateTimeFormat(regional(language), { ...day, ...time }).format(then)
}
