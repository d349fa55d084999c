import { AppError } from '../../platform/errors.ts'
import { mailboxOf } from '../../platform/mailbox.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Limit, type RateLimits, refundedOnFailure } from '../../platform/security/rate-limit.ts'
import { knownDevice } from './known-device.ts'

/*
 * What is tried with an address is counted strictly for each network that tries, and loosely for the address alone: else
 * ten wrong guesses of a stranger would keep its owner out. Devices that have signed in before, and live sessions, have
 * budgets of their own, which no stranger can use up.
 */

/** Something that is counted, and under what. */
export type Budget = readonly [Limit, string]

/** Where a try comes from. */
export interface Trying {
  network: string
  /** The cookies it came with. */
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
  // As long as a code lives: people who are refused here find the newest one in their mailbox.
  mailbox: { name: 'code_mailbox', points: 10, seconds: 600 },
  mailboxDay: { name: 'code_mailbox_day', points: 200, seconds: day },
}

/** Emails about new devices. More in an hour tell nothing new, and would use up the mail server for everyone. */
export const signInNotices = { name: 'sign_in_notices', points: 10, seconds: hour }

/** Spends one use of a limit; false when none is left. */
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
 * What a failed sign-in counts against. Guesses of a code are bounded by its tries, wherever they come from; guesses of a
 * password are not, so they are counted for the address as well.
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

/** What a failed sign-in counts against that names no address. */
export const networkBudgets = (network: string): Budget[] => [[failures.network, network]]

/** What a failed proof within a session counts against. */
export const stepUpBudgets = (sessionId: string, network: string): Budget[] => [
  [failures.session, sessionId],
  [failures.network, network],
]

const spendAll = async (limits: RateLimits, budgets: readonly Budget[]) => {
  for (const [limit, key] of budgets) await limits.spend(limit, key)
}

/** Runs `attempt`, which counts against each of `budgets` when it fails. Throws `rate_limited` where one is used up. */
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
 * Counts a code that is about to be mailed, by mailbox, however its address is written, and gives what it counts against.
 * Nothing where none is mailed since strangers have asked for many, and `isAlive` says that the newest one still works.
 * Throws `rate_limited`.
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
