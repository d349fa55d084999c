import type { TFunction } from 'i18next'
import { regional } from './socket/region.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** `t` needs the `common` texts. */
export function relativeTime(timestamp: string, now: Date, t: TFunction, language: string): string {
  const then = new Date(timestamp)
  const age = now.getTime() - then.getTime()
  if (age < minute) return t('common:time.justNow')
  if (age < hour) return t('common:time.minutesAgo', { count: Math.floor(age / minute) })
  if (age < day) return t('common:time.hoursAgo', { count: Math.floor(age / hour) })
  if (Math.floor(age / day) === 1) return t('common:time.yesterday')
  return then.toLocaleDateString(regional(language))
}
