import { promised } from '@duet/contract/promised.ts'
import { after, minutes } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { forgetPrints, notePrint } from './alike.queries.ts'
import { simhash } from './simhash.ts'
import type { Attempt } from './spam.queries.ts'

/** A person who sends the same text to this many others within this time, without an answer, counts as a bot. */
const mostAlike = 8
const within = minutes(promised.printMinutes)
const bitsApart = 3

/**
 * Records a message to a person who hasn't answered. Returns the reason for a restriction if the sender has written
 * nearly the same to too many people. Counts across all processes.
 */
export async function noteAlike(
  { db, clock, config }: Pick<Platform, 'db' | 'clock' | 'config'>,
  { senderId, receiverId, body }: Attempt,
  receiverName: string,
): Promise<string | undefined> {
  const print = simhash(body, receiverName)
  if (print === undefined) return undefined
  const now = clock.now()
  const people = await notePrint(db, {
    senderId,
    receiverId,
    print,
    now,
    since: after(now, -within),
    within: bitsApart,
  })
  if (people < Math.max(mostAlike, Math.round(mostAlike * config.rateLimitScale))) return undefined
  return `Wrote nearly the same to ${people} people who had not answered, within an hour.`
}

export function forgetAlike({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  return forgetPrints(db, after(clock.now(), -within))
}
