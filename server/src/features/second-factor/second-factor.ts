import { createHash, randomBytes } from 'node:crypto'
import type { PasskeyProof } from '@duet/contract/passkeys.ts'
import type { SecondFactor } from '@duet/contract/second-factor.ts'
import { Secret, TOTP } from 'otpauth'
import { hours } from '../../platform/clock.ts'
import { AppError, conflict, notFound } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { open, seal } from '../../platform/security/sealed.ts'
import { secondFactorUntil, type Viewer } from '../../platform/security/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { recordInAudit } from '../audit/audit.ts'
import { noteSpentCode } from '../data-rights/ledger.ts'
import { takeProof } from '../passkeys/passkeys.ts'
import { secondFactorPurpose } from './sealing-key.ts'
import {
  confirmFactor,
  deleteFactor,
  type FactorRow,
  findState,
  insertRecoveryCodes,
  lockFactor,
  markSession,
  noteStep,
  putSecret,
  useRecoveryCode,
} from './second-factor.queries.ts'

const recoveryCodes = 10
/**
 * Limits wrong codes across all of a person's sessions, because a thief with access to the mailbox can open any number
 * of them.
 */
const guesses = { name: 'second_factor_guesses', points: 40, seconds: hours(1) / 1000 }
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const wrong = () => new AppError('invalid_credentials', "That code isn't right.")
const hashOf = (code: string) => createHash('sha256').update(code).digest()

/** 80 random bits in four groups: enough for an unsalted hash to be safe. */
function newRecoveryCode(): string {
  const text = [...randomBytes(16)].map((byte) => letters[byte % letters.length]).join('')
  return text.replace(/(.{4})(?=.)/g, '$1-')
}

function totpOf({ secrets }: Pick<Platform, 'secrets'>, userId: string, sealed: Buffer): TOTP {
  const bytes = open(secrets, secondFactorPurpose, userId, sealed)
  if (!bytes)
    throw conflict(
      "The server's key has changed, so your authenticator can't be checked. Use a recovery code, or ask your operator to reset your second factor.",
    )
  return new TOTP({ issuer: 'Duet', secret: new Secret({ buffer: new Uint8Array(bytes).buffer }) })
}

export async function getSecondFactor(platform: Platform, viewer: Viewer): Promise<SecondFactor> {
  const state = await findState(platform.db, viewer.id, viewer.sessionId)
  if (!state) throw notFound()
  const until = state.enrolled && state.passed_at ? secondFactorUntil(state.passed_at) : undefined
  return {
    enrolled: state.enrolled,
    required: state.enrolled || platform.config.adminSecondFactor === 'required',
    verifiedUntil: until && until > platform.clock.now() ? until.toISOString() : null,
    recoveryCodesLeft: state.codes_left,
    hasPasskey: state.has_passkey,
  }
}

/** Begins or restarts the setup of the viewer's second factor. Throws conflict once it is confirmed. */
export async function enrol(platform: Platform, viewer: Viewer): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: 20 })
  const sealed = seal(platform.secrets, secondFactorPurpose, viewer.id, Buffer.from(secret.buffer))
  if (!(await putSecret(platform.db, viewer.id, sealed, platform.clock.now())))
    throw conflict('The second factor is already set up.')
  const state = await findState(platform.db, viewer.id, viewer.sessionId)
  const uri = new TOTP({ issuer: 'Duet', label: state?.email ?? '', secret }).toString()
  return { secret: secret.base32, uri }
}

/** The code must be newer than the last one accepted. Throws `invalid_credentials`. */
async function takeCode(tx: Tx, userId: string, factor: FactorRow, code: string): Promise<void> {
  const timestamp = tx.clock.now().getTime()
  const totp = totpOf(tx, userId, factor.secret)
  const delta = totp.validate({ token: code, timestamp, window: 1 })
  const step = TOTP.counter({ period: totp.period, timestamp }) + (delta ?? 0)
  if (delta === null || step <= factor.last_step) throw wrong()
  await noteStep(tx.db, userId, step)
}

async function pass(tx: Tx, viewer: Viewer): Promise<string> {
  const now = tx.clock.now()
  await markSession(tx.db, viewer.sessionId, now)
  tx.afterCommit(({ sessions }) => sessions.forget(viewer.sessionId))
  return secondFactorUntil(now).toISOString()
}

/**
 * Confirms the second factor with a first code. Returns the recovery codes, which can't be shown again. Throws not
 * found if the setup wasn't started; conflict if the second factor is already confirmed or was started under another
 * SECRET_KEY; `invalid_credentials`.
 */
export async function confirm(platform: Platform, viewer: Viewer, code: string) {
  return transaction(platform, async (tx) => {
    const factor = await lockFactor(tx.db, viewer.id)
    if (!factor) throw notFound()
    if (factor.confirmed_at) throw conflict('The second factor is already set up.')
    await takeCode(tx, viewer.id, factor, code)
    await confirmFactor(tx.db, viewer.id, tx.clock.now())
    const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
    await insertRecoveryCodes(tx.db, viewer.id, codes.map(hashOf))
    const verifiedUntil = await pass(tx, viewer)
    const target = { kind: 'person', id: viewer.id }
    await recordInAudit(tx, { actorId: viewer.id, action: 'second_factor_enrolled', target, reason: '' })
    return { recoveryCodes: codes, verifiedUntil }
  })
}

/** The passkey must count as a second factor. Throws `invalid_credentials`. */
async function takePasskey(platform: Platform, tx: Tx, userId: string, proof: PasskeyProof): Promise<void> {
  const taken = await takeProof(platform, tx, proof)
  if (taken?.userId !== userId || !taken.isSecondFactor)
    throw new AppError('invalid_credentials', "That passkey isn't right.")
}

type Proof = { code: string } | { passkey: PasskeyProof }

/**
 * Passes the second factor for this session. Throws not found if none is set up; conflict if its secret is sealed with
 * another SECRET_KEY; `invalid_credentials`; `rate_limited`. If a stranger uses up the guesses, the administrator can
 * still use passkeys, recovery codes, and sessions that have passed before.
 */
export async function verify(platform: Platform, viewer: Viewer, proof: Proof): Promise<{ verifiedUntil: string }> {
  const isGuess = 'code' in proof && !proof.code.includes('-')
  const isNew = isGuess && !(await findState(platform.db, viewer.id, viewer.sessionId))?.passed_at
  if (isNew) await platform.limits.spend(guesses, viewer.id)
  const passed = await take(platform, viewer, proof)
  if (isNew) await platform.limits.refund(guesses, viewer.id)
  return passed
}

function take(platform: Platform, viewer: Viewer, proof: Proof): Promise<{ verifiedUntil: string }> {
  return transaction(platform, async (tx) => {
    const factor = await lockFactor(tx.db, viewer.id)
    if (!factor?.confirmed_at) throw notFound()
    if ('passkey' in proof) {
      await takePasskey(platform, tx, viewer.id, proof.passkey)
      return { verifiedUntil: await pass(tx, viewer) }
    }
    const { code } = proof
    const isRecovery = code.includes('-')
    if (!isRecovery) await takeCode(tx, viewer.id, factor, code)
    else if (!(await useRecoveryCode(tx.db, viewer.id, hashOf(code), tx.clock.now()))) throw wrong()
    const verifiedUntil = await pass(tx, viewer)
    if (isRecovery) {
      await noteSpentCode(tx.config.dataDir, viewer.id, hashOf(code), tx.clock.now())
      const target = { kind: 'person', id: viewer.id }
      await recordInAudit(tx, { actorId: viewer.id, action: 'recovery_code_used', target, reason: '' })
    }
    return { verifiedUntil }
  })
}

/**
 * Removes the second factor of the account with this address and signs the person out, so that they can set it up
 * again. False if there is none.
 */
export async function resetSecondFactor(tx: Pick<Tx, 'db' | 'clock'>, email: string): Promise<boolean> {
  const userId = await deleteFactor(tx.db, email)
  if (!userId) return false
  const target = { kind: 'person', id: userId }
  await recordInAudit(tx, { actorId: null, action: 'second_factor_reset', target, reason: 'by the command line' })
  return true
}
