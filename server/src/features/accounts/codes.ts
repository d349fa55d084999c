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

/** In seconds. */
export const codeLife = { expiresIn: promised.codeMinutes * 60, resendIn: 30 }

type Codes = Pick<Platform, 'db' | 'clock' | 'hasher' | 'limits' | 'mailer' | 'log' | 'secrets'>

/**
 * Emails an 8-digit code in the given language, or the account's. Behaves the same and takes equally long whether or
 * not the address has an account. Sends nothing if the valid code is younger than `resendIn`, or, after many requests
 * from many networks, if there is any valid code. Throws `rate_limited`.
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
    // An undelivered code doesn't count: otherwise an outage would lock people out for longer than it lasts.
    onLate: async () => {
      isLate = true
      for (const [limit, key] of counted) await limits.refund(limit, key)
    },
  }
  const onMailed = async () => {
    if (isLate) for (const [limit, key] of counted) await limits.spend(limit, key).catch(() => undefined)
    await markReachable(platform, email)
  }
  // Not awaited: a slow mail server must not delay the response or reveal which addresses exist.
  deliverCode(platform, delivery, pauses)
    .then((isMailed) => (isMailed ? onMailed() : undefined))
    .catch((err) => log.warn({ err, requestId }, 'the delivery of a code failed'))
}

/**
 * Returns the hash of the valid code if `code` is right, otherwise undefined. Every call uses one of the code's five
 * attempts. Known devices have five separate attempts, which no stranger can use up.
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
