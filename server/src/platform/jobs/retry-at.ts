import { after, minutes } from '../clock.ts'

const shortest = minutes(1)
const longest = minutes(15)

/** Waits half as long as the failure has lasted, between one and 15 minutes. */
export function retryAt(now: Date, since: Date): Date {
  const waitMs = (now.getTime() - since.getTime()) / 2
  return after(now, Math.min(Math.max(waitMs, shortest), longest))
}
