import { randomInt } from 'node:crypto'
import type { AppLanguage } from '@duet/contract/accounts.ts'
import { promised } from '@duet/contract/promised.ts'
import { after, minutes, seconds } from '../../platform/clock.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { Platform } from '../../platform/platform.ts'
import { markReachable } from '../mails/sending.ts'
import { consumeCode, findLanguage, hasFreshCode, hasLiveCode, putCode, takeTry } from './accounts.queries.ts'
import { countCode, type Trying } from './budgets.ts'
import { deliverCode } from './code-delivery.ts'
import { codeMail } from './code-mail.ts'

/** Seconds a code lives, and until another is mailed. */
export const codeLife = { expiresIn: promised.codeMinutes * 60, resendIn: 30 }

type Codes = Pick<Platform, 'db' | 'clock' | 'hasher' | 'limits' | 'mailer' | 'log' | 'secrets'>

/**
 * Mails an 8-digit code, in the language that is asked for, else in that of the account. What happens and how long it
 * takes does not depend on whether the address has an account.
 * While a code younger than `resendIn` lives, no other is made; nor, once many were asked for from everywhere, while any
 * lives. Throws `rate_limited`.
 */
export async function sendCode(
  platform: Codes,
  email: string,
  { network, language, cookie, requestId }: Trying & { language?: AppLanguage | undefined; requestId?: string },
  pauses?: readonly number[],
): Promise<void> {
  const { db, clock, hasher, limits, log } = platform
  const now = clock.now()
  const isYoungerThan = (age: number) => hasFreshCode(db, email, after(now, -seconds(age)), now)
  if (await isYoungerThan(codeLife.resendIn)) return
  const counted = await countCode(platform, email, { network, cookie }, () => isYoungerThan(codeLife.expiresIn))
  if (!counted) return
  const code = String(randomInt(100_000_000)).padStart(8, '0')
  const hash = await hasher.hash(code)
  await putCode(db, { email, hash, now, expiresAt: after(now, minutes(promised.codeMinutes)) })
  const mail = codeMail(language ?? languageOf(await findLanguage(db, email)), code)
  let isLate = false
  const delivery = {
    mail: { to: email, ...mail },
    requestId,
    isLive: () => hasLiveCode(db, email, hash, clock.now()),
    // A code that did not come counts for nothing: else an outage keeps people out for longer than it lasts.
    onLate: async () => {
      isLate = true
      for (const [limit, key] of counted) await limits.refund(limit, key)
    },
  }
  const onMailed = async () => {
    if (isLate) for (const [limit, key] of counted) await limits.spend(limit, key).catch(() => undefined)
    await markReachable(platform, email)
  }
  // Not awaited: a slow mail server must not hold the answer, nor tell addresses apart.
  deliverCode(platform, delivery, pauses)
    .then((isMailed) => (isMailed ? onMailed() : undefined))
    .catch((err) => log.warn({ err, requestId }, 'the delivery of a code could not be followed'))
}

/**
 * The hash of the live code when `code` is right, else undefined. Every call takes one of the code's five tries; devices
 * that are known have five of their own, which no stranger can use up.
 */
export async function checkCode(
  platform: Pick<Platform, 'db' | 'clock' | 'hasher'>,
  email: string,
  code: string,
  isKnown: boolean,
): Promise<string | undefined> {
  const kept = await takeTry(platform.db, email, platform.clock.now(), isKnown)
  return (await platform.hasher.matches(kept, code)) ? kept : undefined
}

export { consumeCode }
