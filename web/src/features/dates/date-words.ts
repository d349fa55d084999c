import { regional } from '../../platform/socket/region.ts'

const inFull = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' } as const

/** A moment in full, as `language` writes it, in the time of this device and with the name of its zone. */
export function momentIn(language: string, timestamp: string): string {
  return new Intl.DateTimeFormat(regional(language), { ...inFull, timeZoneName: 'short' }).format(new Date(timestamp))
}

/** The same for the person who shares the date, who knows the zone. */
export function momentHere(language: string, timestamp: string): string {
  return new Intl.DateTimeFormat(regional(language), inFull).format(new Date(timestamp))
}

/** The time of a moment alone; with its day unless that is today. */
export function timeIn(language: string, timestamp: string, now: Date): string {
  const then = new Date(timestamp)
  const time = { hour: 'numeric', minute: '2-digit' } as const
  const day = then.toDateString() === now.toDateString() ? {} : ({ weekday: 'short', day: 'numeric' } as const)
  return new Intl.DateTimeFormat(regional(language), { ...day, ...time }).format(then)
}
