import type { AppLanguage, Gender, Session } from '@duet/contract/accounts.ts'
import { ageOn } from '@duet/contract/age.ts'
import { limits as fieldLimits } from '@duet/contract/limits.ts'
import { theirDate } from '../../platform/age.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { freshUntil } from '../../platform/security/policy.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { notify } from '../notifications/notifications.ts'
import { createProfile, sessionProfile } from '../profiles/profiles.ts'
import {
  type AccountRow,
  accountOf,
  deleteExpired,
  findAccount,
  insertAccount,
  lockPassword,
  returnTry,
  setLanguage,
} from './accounts.queries.ts'
import { isReserved } from './address-change.queries.ts'
import {
  guarded,
  isWithin,
  networkBudgets,
  signInBudgets,
  signInNotices,
  stepUpBudgets,
  type Trying,
} from './budgets.ts'
import { checkCode, consumeCode } from './codes.ts'
import { deviceIdFor, knownDevice } from './known-device.ts'
import { sendNotice } from './notices.ts'
import { requireUnlikeAddress } from './password.ts'
import { countAccountCodes } from './recovery-codes.queries.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { renewAuthentication } from './sessions.queries.ts'
import { startSession } from './sessions.ts'

export interface Origin extends Trying {
  device: string
  /** Replaces the device id, unless the cookie already has one for this address. */
  newDeviceId: string
  language?: AppLanguage | undefined
  stays?: boolean | undefined
}

export interface Newcomer {
  name: string
  birthDate: string
  /** IANA time zone that decides today's date for the age check; UTC by default. */
  timeZone?: string | undefined
  gender?: Gender | undefined
  interestedIn?: Gender[] | undefined
}

interface Registration extends Newcomer {
  email: string
  otp: string
  password?: string | undefined
}

type Credentials = { email: string } & ({ otp: string } | { password: string } | { recoveryCode: string })

const wrong = () => new AppError('invalid_credentials', "That email, code or password isn't right.")

/** Throws if the person is under 18 or implausibly old on today's date in their time zone. */
function requireAdult({ birthDate, timeZone }: Pick<Newcomer, 'birthDate' | 'timeZone'>, now: Date): void {
  const age = ageOn(birthDate, theirDate(timeZone, now))
  if (age < fieldLimits.adultAge) throw invalid([{ path: 'birthDate', message: 'Duet is for people of 18 and older' }])
  if (age > fieldLimits.oldestAge) throw invalid([{ path: 'birthDate', message: 'this is too long ago' }])
}

async function sessionOf(
  tx: Tx,
  account: Pick<AccountRow, 'id' | 'email' | 'is_super_admin'>,
  origin: Origin,
  isFirst = false,
) {
  const { device, language, stays = false } = origin
  const isSuperAdmin = account.is_super_admin
  const deviceId = deviceIdFor(tx, account.email, origin)
  const { token, isNewDevice } = await startSession(tx, { id: account.id, isSuperAdmin }, { device, deviceId, stays })
  if (isNewDevice && !isFirst) {
    await notify(tx, account.id, { kind: 'new_sign_in', params: { device } })
    if (await isWithin(tx, signInNotices, account.id))
      await sendNotice(tx, { userId: account.id, notice: 'new_sign_in', device })
  }
  // Changed after the notice is queued, so that the notice is in the account's previous language.
  if (language) await setLanguage(tx.db, account.id, language)
  const profile = await sessionProfile(tx.db, account.id)
  return { id: account.id, email: account.email, ...profile, token, isSuperAdmin } satisfies Session
}

export type OnArriving = (
  tx: Tx,
  who: { userId: string; email: string; language: AppLanguage } & Pick<Origin, 'network' | 'device'>,
) => Promise<void>

/**
 * Registers an account with an emailed code, signs it in and sends a welcome. Throws `validation_failed` for people
 * under 18, `invalid_credentials` for a wrong code, and `email_taken`. After `validation_failed` or `email_taken`, the
 * code can be used again.
 */
export function register(
  platform: Platform,
  input: Registration,
  origin: Origin,
  onArriving: OnArriving,
): Promise<Session> {
  const now = platform.clock.now()
  requireAdult(input, now)
  if (input.password !== undefined) requireUnlikeAddress(input.password, input.email)
  return guarded(platform, signInBudgets(platform, input.email, origin, false), async () => {
    const isKnown = knownDevice(platform, input.email, origin.cookie) !== undefined
    const code = await checkCode(platform, input.email, input.otp, isKnown)
    if (!code) throw wrong()
    const passwordHash = input.password === undefined ? null : await platform.hasher.hash(input.password)
    const session = await transaction(platform, (tx) =>
      arrive(tx, { ...input, passwordHash }, () => consumeCode(tx.db, input.email, code), origin, onArriving),
    )
    const isSuperAdmin =
      input.email === platform.config.superAdminEmail && (await platform.grantSuperAdmin(input.email))
    return { ...session, isSuperAdmin }
  })
}

async function arrive(
  tx: Tx,
  { email, passwordHash, ...profile }: Newcomer & { email: string; passwordHash: string | null },
  spend: Spend,
  origin: Origin,
  onArriving: OnArriving,
): Promise<Session> {
  const now = tx.clock.now()
  const id = await insertAccount(tx.db, { email, passwordHash, now })
  if (!id) throw new AppError('email_taken', "There's already an account with this address. Sign in instead.")
  if (await isReserved(tx.db, email, now))
    throw new AppError('email_taken', 'An account has just left this address, and may still return to it.')
  if (!(await spend(tx, id))) throw wrong()
  await createProfile(tx, id, profile)
  await notify(tx, id, { kind: 'welcome', params: { name: profile.name }, link: `/profile/${id}` })
  const { network, device, language = 'en' } = origin
  await onArriving(tx, { userId: id, email, language, network, device })
  return sessionOf(tx, { id, email, is_super_admin: false }, origin, true)
}

/**
 * Registers an account whose address is proved by something other than a code, and signs it in. Throws
 * `validation_failed` for people under 18, `invalid_credentials` if `spend` finds no proof, `email_taken`, and
 * `rate_limited`. Failures count against the network.
 */
export function registerProven(
  platform: Platform,
  input: Newcomer & { email: string },
  spend: Spend,
  origin: Origin,
  onArriving: OnArriving,
): Promise<Session> {
  requireAdult(input, platform.clock.now())
  return guarded(platform, networkBudgets(origin.network), () =>
    transaction(platform, (tx) => arrive(tx, { ...input, passwordHash: null }, spend, origin, onArriving)),
  )
}

/**
 * Checks a code and returns whether its address has an account. The code stays usable and keeps all its attempts.
 * Throws `invalid_credentials` for a wrong code whether or not there is an account, and `rate_limited`. Failures count
 * as failed sign-ins.
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

type Spend = (tx: Tx, accountId: string) => Promise<boolean>

/** Checks the proof without locking anything. Undefined if it is wrong. */
async function checkProof(
  platform: Platform,
  credentials: Credentials,
  account: AccountRow | undefined,
  origin: Origin,
): Promise<Spend | undefined> {
  const { email } = credentials
  if ('recoveryCode' in credentials) return (tx) => spendRecoveryCode(tx, email, credentials.recoveryCode)
  if ('password' in credentials) {
    const kept = account?.password_hash
    const right = await platform.hasher.matches(kept, credentials.password)
    // If the password changes before the transaction locks it, this sign-in fails.
    return right && kept ? (tx, id) => lockPassword(tx.db, id, kept) : undefined
  }
  const code = await checkCode(
    platform,
    email,
    credentials.otp,
    knownDevice(platform, email, origin.cookie) !== undefined,
  )
  return code ? (tx) => consumeCode(tx.db, email, code) : undefined
}

/**
 * Signs in with a code, a password or a recovery code. Throws `rate_limited`, and `invalid_credentials` without
 * revealing what was wrong.
 */
export function authenticate(platform: Platform, credentials: Credentials, origin: Origin): Promise<Session> {
  // Guesses at an emailed code are limited only by the code's attempts.
  const budgets = signInBudgets(platform, credentials.email, origin, !('otp' in credentials))
  return guarded(platform, budgets, async () => {
    const account = await findAccount(platform.db, credentials.email)
    const spend = await checkProof(platform, credentials, account, origin)
    if (!spend) throw wrong()
    return transaction(platform, async (tx) => {
      if (!(await spend(tx, account?.id ?? '')) || !account) throw wrong()
      return sessionOf(tx, account, origin)
    })
  })
}

/**
 * Re-authenticates the viewer with a code or a password. Returns when the session stops counting as fresh. Throws
 * `invalid_credentials` and `rate_limited`; failures count against this session, not the address.
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
      if (!(await platform.hasher.matches(passwordHash, proof.password))) throw wrong()
      return
    }
    const code = await checkCode(platform, email, proof.otp, true)
    if (!code || !(await consumeCode(platform.db, email, code))) throw wrong()
  })
  return countAsFresh(platform, viewer)
}

async function countAsFresh({ db, clock, sessions }: Platform, viewer: Viewer): Promise<Date> {
  const now = clock.now()
  await renewAuthentication(db, viewer.sessionId, now)
  sessions.forget(viewer.sessionId)
  return freshUntil(now)
}

/** Consumes a proof within the transaction and returns the id of its account; undefined if it is invalid. */
type Proof = (tx: Tx) => Promise<string | undefined>

/**
 * Signs in to the account that the proof belongs to. Throws `invalid_credentials` and `rate_limited`; failures count
 * against the network.
 */
export function signInAs(platform: Platform, proof: Proof, origin: Origin): Promise<Session> {
  return guarded(platform, networkBudgets(origin.network), () =>
    transaction(platform, async (tx) => {
      const userId = await proof(tx)
      if (!userId) throw wrong()
      return sessionOf(tx, await accountOf(tx.db, userId), origin)
    }),
  )
}

/** Like `reauthenticate`, with another kind of proof. Also fails if the proof belongs to another account. */
export async function proveAnew(platform: Platform, viewer: Viewer, proof: Proof, network: string): Promise<Date> {
  await guarded(platform, stepUpBudgets(viewer.sessionId, network), () =>
    transaction(platform, async (tx) => {
      if ((await proof(tx)) !== viewer.id) throw wrong()
    }),
  )
  return countAsFresh(platform, viewer)
}

export async function emailOf({ db }: Pick<Platform, 'db'>, userId: string): Promise<string> {
  return (await accountOf(db, userId)).email
}

export async function putLanguage(platform: Platform, viewerId: string, language: AppLanguage): Promise<void> {
  await setLanguage(platform.db, viewerId, language)
}

export async function getAccess({ db }: Pick<Platform, 'db'>, viewerId: string) {
  const { email, password_hash: passwordHash } = await accountOf(db, viewerId)
  return { email, hasPassword: passwordHash !== null, recoveryCodesLeft: await countAccountCodes(db, viewerId) }
}

export function forgetExpired(platform: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  return deleteExpired(platform.db, platform.clock.now())
}
