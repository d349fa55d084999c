import type { AppLanguage, Gender, Session } from '@duet/contract/accounts.ts'
import { limits as fieldLimits } from '@duet/contract/limits.ts'
import { ageOn } from '../../platform/age.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { freshUntil } from '../../platform/policy.ts'
import type { Viewer } from '../../platform/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { notify } from '../notifications/notifications.ts'
import { createProfile, sessionProfile } from '../profiles/profiles.ts'
import {
  type AccountRow,
  accountOf,
  deleteExpired,
  findAccount,
  grantSuperAdmin,
  insertAccount,
  setLanguage,
} from './accounts.queries.ts'
import { checkCode, checkPassword, consumeCode, hashPassword } from './codes.ts'
import { renewProof } from './sessions.queries.ts'
import { startSession } from './sessions.ts'

/** Where a request comes from. */
export interface Origin {
  network: string
  device: string
  /** What of our languages it asks to be answered in. */
  language?: AppLanguage | undefined
}

interface Registration {
  email: string
  otp: string
  name: string
  birthDate: string
  password?: string | undefined
  gender?: Gender | undefined
  interestedIn?: Gender[] | undefined
}

type Credentials = { email: string; otp: string } | { email: string; password: string }

const limits = {
  failuresAddress: { name: 'sign_in_address', points: 10, seconds: 3_600 },
  failuresNetwork: { name: 'sign_in_network', points: 100, seconds: 300 },
  languages: { name: 'languages', points: 60, seconds: 3_600 },
}

const wrong = () => new AppError('invalid_credentials', 'The address, code or password is not right.')

/** Throws unless somebody born then is an adult today (UTC), and alive. */
function requireAdult(birthDate: string, now: Date): void {
  const age = ageOn(birthDate, now)
  if (age < fieldLimits.adultAge) throw invalid([{ path: 'birthDate', message: 'Duet is for people of 18 and older' }])
  if (age > fieldLimits.oldestAge) throw invalid([{ path: 'birthDate', message: 'this is too long ago' }])
}

/** Counts a failed sign-in against the address and the network; throws `rate_limited` when there were too many. */
async function guarded<T>(platform: Platform, email: string, network: string, attempt: () => Promise<T>): Promise<T> {
  await platform.limits.spend(limits.failuresAddress, email)
  await platform.limits.spend(limits.failuresNetwork, network)
  const result = await attempt()
  await platform.limits.refund(limits.failuresAddress, email)
  await platform.limits.refund(limits.failuresNetwork, network)
  return result
}

async function sessionOf(
  tx: Tx,
  account: Pick<AccountRow, 'id' | 'email' | 'is_super_admin'>,
  { device, language }: Origin,
) {
  const isSuperAdmin = account.is_super_admin
  const { token, isNewDevice } = await startSession(tx, { id: account.id, isSuperAdmin }, device)
  if (isNewDevice) await notify(tx, account.id, { kind: 'new_sign_in', params: { device } })
  if (language) await setLanguage(tx.db, account.id, language)
  const profile = await sessionProfile(tx.db, account.id)
  return { id: account.id, email: account.email, ...profile, token, isSuperAdmin } satisfies Session
}

/** Hears of somebody while their account is made. */
export type OnArriving = (tx: Tx, who: { userId: string; email: string; language: AppLanguage }) => Promise<void>

/**
 * Creates an account for an address whose code is right, signs it in and welcomes it. Throws `validation_failed` for
 * people under 18, `invalid_credentials` for a wrong code, `email_taken`; the code stays usable in the first and last.
 */
export function register(
  platform: Platform,
  input: Registration,
  origin: Origin,
  onArriving: OnArriving,
): Promise<Session> {
  const now = platform.clock.now()
  requireAdult(input.birthDate, now)
  return guarded(platform, input.email, origin.network, async () => {
    const code = await checkCode(platform, input.email, input.otp)
    if (!code) throw wrong()
    const passwordHash = input.password === undefined ? null : await hashPassword(input.password)
    const session = await transaction(platform, async (tx) => {
      const id = await insertAccount(tx.db, { email: input.email, passwordHash, now })
      if (!id) throw new AppError('email_taken', 'This address has an account. Sign in instead.')
      if (!(await consumeCode(tx.db, input.email, code))) throw wrong()
      await createProfile(tx, id, input)
      await notify(tx, id, { kind: 'welcome', params: { name: input.name }, link: `/profile/${id}` })
      await onArriving(tx, { userId: id, email: input.email, language: origin.language ?? 'en' })
      return sessionOf(tx, { id, email: input.email, is_super_admin: false }, origin)
    })
    const isSuperAdmin =
      input.email === platform.config.superAdminEmail && (await platform.grantSuperAdmin(input.email))
    return { ...session, isSuperAdmin }
  })
}

/** Signs in with a code or a password. Throws `invalid_credentials`, always the same, and `rate_limited`. */
export function authenticate(platform: Platform, credentials: Credentials, origin: Origin): Promise<Session> {
  return guarded(platform, credentials.email, origin.network, async () => {
    const account = await findAccount(platform.db, credentials.email)
    if ('password' in credentials) {
      const right = await checkPassword(account?.password_hash, credentials.password)
      if (!account || !right) throw wrong()
      return transaction(platform, (tx) => sessionOf(tx, account, origin))
    }
    const code = await checkCode(platform, credentials.email, credentials.otp)
    if (!account || !code) throw wrong()
    return transaction(platform, async (tx) => {
      if (!(await consumeCode(tx.db, credentials.email, code))) throw wrong()
      return sessionOf(tx, account, origin)
    })
  })
}

/**
 * Proves again, with a code or a password, who the viewer is: their session counts as fresh from now on. Returns until
 * when. Throws `invalid_credentials` and `rate_limited`, as signing in does.
 */
export async function reauthenticate(
  platform: Platform,
  viewer: Viewer,
  proof: { otp: string } | { password: string },
  network: string,
): Promise<Date> {
  const { email, password_hash: passwordHash } = await accountOf(platform.db, viewer.id)
  await guarded(platform, email, network, async () => {
    if ('password' in proof) {
      if (!(await checkPassword(passwordHash, proof.password))) throw wrong()
      return
    }
    const code = await checkCode(platform, email, proof.otp)
    if (!code || !(await consumeCode(platform.db, email, code))) throw wrong()
  })
  const now = platform.clock.now()
  await renewProof(platform.db, viewer.sessionId, now)
  platform.sessions.forget(viewer.sessionId)
  return freshUntil(now)
}

/** Keeps the language the viewer reads Duet in: mails come in it. Throws `rate_limited`. */
export async function putLanguage(platform: Platform, viewerId: string, language: AppLanguage): Promise<void> {
  await platform.limits.spend(limits.languages, viewerId)
  await setLanguage(platform.db, viewerId, language)
}

/** Removes codes, sessions and counters whose time is over. */
export function forgetExpired(platform: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  return deleteExpired(platform.db, platform.clock.now())
}

export { grantSuperAdmin, hashPassword }
