import { randomInt } from 'node:crypto'
import type { AppLanguage } from '@duet/contract/accounts.ts'
import { after, minutes, seconds } from '../../platform/clock.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { Platform } from '../../platform/platform.ts'
import { markReachable } from '../mails/sending.ts'
import { consumeCode, findLanguage, hasFreshCode, putCode, takeTry } from './accounts.queries.ts'
import { countCode, type Trying } from './budgets.ts'
import { codeMail } from './code-mail.ts'

/** Seconds a code lives, and until another is mailed. */
export const codeLife = { expiresIn: 600, resendIn: 30 }

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
  { network, language, cookie }: Trying & { language?: AppLanguage | undefined },
): Promise<void> {
  const { db, clock, hasher, mailer, log } = platform
  const now = clock.now()
  const isYoungerThan = (age: number) => hasFreshCode(db, email, after(now, -seconds(age)), now)
  if (await isYoungerThan(codeLife.resendIn)) return
  if (!(await countCode(platform, email, { network, cookie }, () => isYoungerThan(codeLife.expiresIn)))) return
  const code = String(randomInt(100_000_000)).padStart(8, '0')
  await putCode(db, { email, hash: await hasher.hash(code), now, expiresAt: after(now, minutes(10)) })
  const mail = codeMail(language ?? languageOf(await findLanguage(db, email)), code)
  // Not awaited: a slow mail server must not hold the answer, nor tell addresses apart.
  mailer
    .send({ to: email, ...mail })
    .then(
      () => markReachable(platform, email),
      (err) => log.error({ err }, 'a code could not be mailed'),
    )
    .catch((err) => log.warn({ err }, 'a mailbox that took a code could not be noted as reachable'))
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
