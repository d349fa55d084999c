import { after, minutes } from '../clock.ts'

const shortest = minutes(1)
const longest = minutes(15)

/** When to try again what has been failing since a moment: after half of that time, at least a minute, at most a quarter of an hour. */
export function retryAt(now: Date, since: Date): Date {
  const waitMs = (now.getTime() - since.getTime()) / 2
  return after(now, Math.min(Math.max(waitMs, shortest), longest))
}
