import { signalsIn } from '@duet/contract/text-signals.ts'
import { hours } from '../../platform/clock.ts'
import { invalid, rateLimited } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Attempt, Before } from './spam.queries.ts'

/** How long somebody is new. */
const newFor = hours(72)
/** How many messages somebody new may send to one person who has not answered. */
const mostUnanswered = 2
const day = 86_400
const newcomerBegins = { name: 'newcomer_conversations', points: 10, seconds: day }
const begins = { name: 'new_conversations', points: 30, seconds: day }
const newcomerSends = { name: 'newcomer_messages', points: 30, seconds: 3_600 }
/** What no number says is out of the way, too, where a scale like this puts the limits out of it. */
const outOfTheWay = 100

type Counting = Pick<Platform, 'limits' | 'clock' | 'config'>

/** Until when somebody is new, as a time in milliseconds. */
export const newUntil = ({ since }: Pick<Before, 'since'>) => (since ? since.getTime() + newFor : 0)

/** Counts a message of somebody new to somebody they have no match with. Throws `rate_limited`. */
export const countNewcomer = ({ limits }: Counting, senderId: string) => limits.spendHere(newcomerSends, senderId)

function requireNoLink(scale: number, body: string): void {
  if (scale >= outOfTheWay || !signalsIn(body).includes('link')) return
  throw invalid([{ path: 'message', message: 'a first message from somebody new holds no link' }])
}

/** Throws when somebody new has written to this person often enough for now. */
function requirePatience({ clock, config }: Counting, before: Before): void {
  if (before.answered || before.messages < Math.max(1, Math.round(mostUnanswered * config.rateLimitScale))) return
  throw rateLimited(newUntil(before) - clock.now().getTime())
}

/**
 * Counts a message against what its sender may send: less while they are new, and less to people they have no match with.
 * Gives what takes the counting back where it may be taken back. Throws `rate_limited`; `validation_failed` for links in
 * a first message of somebody new.
 */
export async function countMessage(
  platform: Counting,
  { senderId, body }: Pick<Attempt, 'senderId' | 'body'>,
  before: Before,
): Promise<() => Promise<void>> {
  const isNew = newUntil(before) > platform.clock.now().getTime()
  const isFirst = before.messages === 0
  if (isNew && isFirst) requireNoLink(platform.config.rateLimitScale, body)
  if (before.matched) return async () => undefined
  if (isNew) {
    requirePatience(platform, before)
    await countNewcomer(platform, senderId)
  }
  if (!isFirst) return async () => undefined
  const limit = isNew ? newcomerBegins : begins
  await platform.limits.spend(limit, senderId)
  return () => platform.limits.refund(limit, senderId)
}
