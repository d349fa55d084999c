import { AppError } from '../../platform/errors.ts'
import { mailboxOf } from '../../platform/mailbox.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Limit, type RateLimits, refundedOnFailure } from '../../platform/security/rate-limit.ts'
import { knownDevice } from './known-device.ts'

/**
 * Failed sign-ins have a strict limit per network and a loose one per address: otherwise a stranger's ten wrong guesses
 * would lock the owner out. Known devices and live sessions have separate limits, which no stranger can use up.
 */

export type Budget = readonly [Limit, string]

export interface Trying {
  network: string
  cookie?: string | undefined
}

const hour = 3_600
const day = 86_400
const failures = {
  address: { name: 'sign_in_address', points: 10, seconds: hour },
  device: { name: 'sign_in_device', points: 10, seconds: hour },
  session: { name: 'sign_in_session', points: 10, seconds: hour },
  everywhere: { name: 'sign_in_everywhere', points: 100, seconds: hour },
  network: { name: 'sign_in_network', points: 100, seconds: 300 },
}
const codes = {
  hour: { name: 'code_address_hour', points: 5, seconds: hour },
  day: { name: 'code_address_day', points: 10, seconds: day },
  // As long as a code is valid: people who reach this limit find the newest code in their mailbox.
  mailbox: { name: 'code_mailbox', points: 10, seconds: 600 },
  mailboxDay: { name: 'code_mailbox_day', points: 200, seconds: day },
}

/** Limits emails about new devices: more per hour would tell the owner nothing new and overload the mail server. */
export const signInNotices = { name: 'sign_in_notices', points: 10, seconds: hour }

export async function isWithin({ limits }: Pick<Platform, 'limits'>, limit: Limit, key: string): Promise<boolean> {
  try {
    await limits.spend(limit, key)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/**
 * The limits that a failed sign-in counts against. Guesses at a code are limited by the code's attempts. Guesses at a
 * password have no such limit, so they also count against the address.
 */
export function signInBudgets(
  platform: Pick<Platform, 'secrets'>,
  email: string,
  { network, cookie }: Trying,
  withPassword: boolean,
): Budget[] {
  const device = knownDevice(platform, email, cookie)
  if (device)
    return [
      [failures.device, device],
      [failures.network, network],
    ]
  return [
    [failures.address, `${email} ${network}`],
    [failures.network, network],
    ...(withPassword ? [[failures.everywhere, email] as const] : []),
  ]
}

export const networkBudgets = (network: string): Budget[] => [[failures.network, network]]

export const stepUpBudgets = (sessionId: string, network: string): Budget[] => [
  [failures.session, sessionId],
  [failures.network, network],
]

const spendAll = async (limits: RateLimits, budgets: readonly Budget[]) => {
  for (const [limit, key] of budgets) await limits.spend(limit, key)
}

/** Runs `attempt` and counts a failure against each of `budgets`. Throws `rate_limited` if one of them is used up. */
export async function guarded<T>(
  { limits }: Pick<Platform, 'limits'>,
  budgets: readonly Budget[],
  attempt: () => Promise<T>,
): Promise<T> {
  await refundedOnFailure(limits, (own) => spendAll(own, budgets))
  const result = await attempt()
  for (const [limit, key] of budgets) await limits.refund(limit, key)
  return result
}

/**
 * Counts a code that is about to be emailed. All spellings of an address count as one mailbox. Returns the uses to
 * refund if delivery fails. Returns undefined if strangers have requested many codes and `isAlive` reports that the
 * newest one still works: then no new code is sent. Throws `rate_limited`.
 */
export async function countCode(
  platform: Pick<Platform, 'limits' | 'secrets'>,
  email: string,
  { network, cookie }: Trying,
  isAlive: () => Promise<boolean>,
): Promise<Budget[] | undefined> {
  const { limits } = platform
  const mailbox = mailboxOf(email)
  const device = knownDevice(platform, email, cookie)
  const asker = device ?? `${mailbox} ${network}`
  const ofAsker: Budget[] = [codes.hour, codes.day].map((limit) => [limit, asker])
  const ofMailbox: Budget[] = [codes.mailbox, codes.mailboxDay].map((limit) => [limit, mailbox])
  return refundedOnFailure(limits, async (own) => {
    await spendAll(own, ofAsker)
    if (device) return ofAsker
    try {
      await refundedOnFailure(own, (inner) => spendAll(inner, ofMailbox))
      return [...ofAsker, ...ofMailbox]
    } catch (error) {
      if (error instanceof AppError && (await isAlive())) return undefined
      throw error
    }
  })
}
