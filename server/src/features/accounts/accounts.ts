import type { AppLanguage, Gender, Session } from '@duet/contract/accounts.ts'
import { limits as fieldLimits } from '@duet/contract/limits.ts'
import { ageOn } from '../../platform/age.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { freshUntil } from '../../platform/security/policy.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { notify } from '../notifications/notifications.ts'
import { createProfile, sessionProfile } from '../profiles/profiles.ts'
import {
  type AccountRow,
  accountOf,
  deleteExpired,
  findAccount,
  insertAccount,
  returnTry,
  setLanguage,
} from './accounts.queries.ts'
import { guarded, signInBudgets, stepUpBudgets, type Trying } from './budgets.ts'
import { checkCode, checkPassword, consumeCode, hashPassword } from './codes.ts'
import { knownDevice } from './known-device.ts'
import { renewProof } from './sessions.queries.ts'
import { startSession } from './sessions.ts'

/** Where a request comes from. */
export interface Origin extends Trying {
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

const wrong = () => new AppError('invalid_credentials', "That email, code or password isn't right.")

/** Throws unless a person born then is an adult today (UTC), and alive. */
function requireAdult(birthDate: string, now: Date): void {
  const age = ageOn(birthDate, now)
  if (age < fieldLimits.adultAge) throw invalid([{ path: 'birthDate', message: 'Duet is for people of 18 and older' }])
  if (age > fieldLimits.oldestAge) throw invalid([{ path: 'birthDate', message: 'this is too long ago' }])
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

/** Called while an account is being made. */
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
  return guarded(platform, signInBudgets(platform, input.email, origin, false), async () => {
    const isKnown = knownDevice(platform, input.email, origin.cookie) !== undefined
    const code = await checkCode(platform, input.email, input.otp, isKnown)
    if (!code) throw wrong()
    const passwordHash = input.password === undefined ? null : await hashPassword(input.password)
    const session = await transaction(platform, async (tx) => {
      const id = await insertAccount(tx.db, { email: input.email, passwordHash, now })
      if (!id) throw new AppError('email_taken', "There's already an account with this address. Sign in instead.")
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

/**
 * Whether the address of a right code has an account. The code stays usable and loses no try. Throws
 * `invalid_credentials`, whether or not there is an account, and `rate_limited`: what fails counts as a failed sign-in.
 */
export function verifyCode(
  platform: Platform,
  { email, otp }: { email: string; otp: string },
  origin: Trying,
): Promise<boolean> {
  return guarded(platform, signInBudgets(platform, email, origin, false), async () => {
    const isKnown = knownDevice(platform, email, origin.cookie) !== undefined
    const account = await findAccount(platform.db, email)
    const code = await checkCode(platform, email, otp, isKnown)
    if (!code) throw wrong()
    await returnTry(platform.db, email, code, isKnown)
    return account !== undefined
  })
}

/** Signs in with a code or a password. Throws `invalid_credentials`, always the same, and `rate_limited`. */
export function authenticate(platform: Platform, credentials: Credentials, origin: Origin): Promise<Session> {
  const budgets = signInBudgets(platform, credentials.email, origin, 'password' in credentials)
  return guarded(platform, budgets, async () => {
    const account = await findAccount(platform.db, credentials.email)
    if ('password' in credentials) {
      const right = await checkPassword(account?.password_hash, credentials.password)
      if (!account || !right) throw wrong()
      return transaction(platform, (tx) => sessionOf(tx, account, origin))
    }
    const isKnown = knownDevice(platform, credentials.email, origin.cookie) !== undefined
    const code = await checkCode(platform, credentials.email, credentials.otp, isKnown)
    if (!account || !code) throw wrong()
    return transaction(platform, async (tx) => {
      if (!(await consumeCode(tx.db, credentials.email, code))) throw wrong()
      return sessionOf(tx, account, origin)
    })
  })
}

/**
 * Proves again, with a code or a password, who the viewer is: their session counts as fresh from now on. Returns until
 * when. Throws `invalid_credentials` and `rate_limited`: what fails counts against this session, not the address.
 */
export async function reauthenticate(
  platform: Platform,
  viewer: Viewer,
  proof: { otp: string } | { password: string },
  network: string,
): Promise<Date> {
  const { email, password_hash: passwordHash } = await accountOf(platform.db, viewer.id)
  await guarded(platform, stepUpBudgets(viewer.sessionId, network), async () => {
    if ('password' in proof) {
      if (!(await checkPassword(passwordHash, proof.password))) throw wrong()
      return
    }
    const code = await checkCode(platform, email, proof.otp, true)
    if (!code || !(await consumeCode(platform.db, email, code))) throw wrong()
  })
  const now = platform.clock.now()
  await renewProof(platform.db, viewer.sessionId, now)
  platform.sessions.forget(viewer.sessionId)
  return freshUntil(now)
}

/** Keeps the language the viewer reads Duet in: mails come in it. */
export async function putLanguage(platform: Platform, viewerId: string, language: AppLanguage): Promise<void> {
  await setLanguage(platform.db, viewerId, language)
}

/** Removes codes, sessions and counters whose time is over. */
export function forgetExpired(platform: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  return deleteExpired(platform.db, platform.clock.now())
}

export { hashPassword }
