import { after, minutes } from '../clock.ts'

const shortest = minutes(1)
const longest = minutes(15)

/** Waits half as long as the failure has lasted: at least one minute, at most 15. */
export function retryAt(now: Date, since: Date): Date {
  const waitMs = (now.getTime() - since.getTime()) / 2
  return after(now, Math.min(Math.max(waitMs, shortest), longest))
}
