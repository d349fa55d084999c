import { signalsIn } from '@duet/contract/text-signals.ts'
import { hours } from '../../platform/clock.ts'
import { rateLimited } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Attempt, Before } from './spam.queries.ts'

const newFor = hours(72)
const mostUnanswered = 100
const day = 86_400
const newcomerBegins = { name: 'newcomer_conversations', points: 20, seconds: day }
const begins = { name: 'new_conversations', points: 60, seconds: day }
const newcomerSends = { name: 'newcomer_messages', points: 200, seconds: 3_600 }
const newcomerLinks = { name: 'newcomer_links', points: 3, seconds: day }

type Counting = Pick<Platform, 'limits' | 'clock' | 'config'>

/** In milliseconds. */
const newUntil = ({ since }: Pick<Before, 'since'>) => (since ? since.getTime() + newFor : 0)

function requirePatience({ clock, config }: Counting, before: Before): void {
  if (before.messages < Math.max(1, Math.round(mostUnanswered * config.rateLimitScale))) return
  throw rateLimited(newUntil(before) - clock.now().getTime())
}

/**
 * Counts a message to a person who is no match and hasn't answered against the sender's limit, which is lower for
 * newcomers. Throws `rate_limited`.
 */
export async function spendNewcomerLimits(
  platform: Counting,
  { senderId, body }: Pick<Attempt, 'senderId' | 'body'>,
  before: Before,
): Promise<void> {
  if (before.matched || before.answered) return
  const { limits } = platform
  const isNew = newUntil(before) > platform.clock.now().getTime()
  const isFirst = before.messages === 0
  if (isNew) {
    requirePatience(platform, before)
    await limits.spendHere(newcomerSends, senderId)
  }
  if (!isFirst) return
  const counted = isNew ? [newcomerBegins, ...(signalsIn(body).includes('link') ? [newcomerLinks] : [])] : [begins]
  for (const limit of counted) await limits.spend(limit, senderId)
}
