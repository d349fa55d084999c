import type { NewPasskey, Passkey, PasskeyProof } from '@duet/contract/passkeys.ts'
import { after, hours, minutes } from '../../platform/clock.ts'
import { AppError, conflict, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform, Tx } from '../../platform/platform.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { emailOf } from '../accounts/accounts.ts'
import { sendNotice } from '../accounts/notices.ts'
import { newChallenge, readNewPasskey, readProof, relyingParty } from './ceremony.ts'
import { keeperOf } from './keepers.ts'
import {
  deleteEndedChallenges,
  deletePasskey,
  deletePasskeys,
  findPasskeys,
  insertPasskey,
  lockPasskey,
  noteUse,
  type PasskeyRow,
  takeChallenge,
} from './passkeys.queries.ts'

const most = 20
/** EdDSA, ES256 and RS256 as COSE algorithm numbers: https://www.iana.org/assignments/cose. */
const algorithms = [-8, -7, -257]
const wrong = () => new AppError('invalid_credentials', "That passkey isn't right. Try once more.")
const full = () => conflict(`An account has at most ${most} passkeys. Remove one that you don't use.`)

const shown = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  synced: row.is_synced,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

/** The bytes of the person's id, which password managers store as the user handle. */
const handleOf = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex')

export async function listPasskeys({ db }: Pick<Platform, 'db'>, viewer: Viewer): Promise<Passkey[]> {
  return (await findPasskeys(db, viewer.id)).map(shown)
}

/** Options with which the viewer's browser creates a passkey. Throws conflict if they have the maximum number. */
export async function beginPasskey(platform: Platform, viewer: Viewer) {
  const { db, config } = platform
  const kept = await findPasskeys(db, viewer.id)
  if (kept.length >= most) throw full()
  const email = await emailOf(platform, viewer.id)
  return {
    challenge: newChallenge(platform, viewer.sessionId),
    rp: { id: relyingParty(config).id, name: 'Duet' },
    user: { id: handleOf(viewer.id).toString('base64url'), name: email, displayName: email },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    excludeCredentials: kept.map(({ credential_id: id, transports }) => ({
      id,
      type: 'public-key' as const,
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
    timeout: minutes(5),
  } as const
}

/**
 * Stores a passkey that the viewer's browser created, and emails a notice. Throws `invalid_credentials` if it wasn't
 * created as requested, and conflict if it is already registered or they have the maximum number.
 */
export async function addPasskey(
  platform: Platform,
  viewer: Viewer,
  passkey: NewPasskey,
  device: string,
): Promise<Passkey> {
  const made = await readNewPasskey(platform, passkey, viewer.sessionId)
  if (!made) throw wrong()
  const now = platform.clock.now()
  return transaction(platform, async (tx) => {
    if (!(await takeChallenge(tx.db, made.answered))) throw wrong()
    const row = await insertPasskey(tx.db, {
      userId: viewer.id,
      sessionId: viewer.sessionId,
      credentialId: made.id,
      publicKey: made.publicKey,
      counter: made.counter,
      transports: passkey.response.transports ?? [],
      isSynced: made.isSynced,
      name: keeperOf(made.aaguid) ?? device,
      now,
      most,
      passedSince: after(now, -hours(12)),
    })
    if (!row) throw conflict("This passkey is known already, or there's no room for another one.")
    await sendNotice(tx, { userId: viewer.id, notice: 'passkey_added' })
    return shown(row)
  })
}

export async function removePasskey(platform: Platform, viewer: Viewer, id: string): Promise<void> {
  await transaction(platform, async (tx) => {
    if (!isUuid(id) || !(await deletePasskey(tx.db, viewer.id, id))) throw notFound()
    await sendNotice(tx, { userId: viewer.id, notice: 'passkey_removed' })
  })
}

/** Options with which a browser signs in with a passkey: the same for everyone, except the challenge. */
export function askForPasskey(platform: Platform) {
  const { id } = relyingParty(platform.config)
  return { challenge: newChallenge(platform), rpId: id, userVerification: 'required' } as const
}

/** A proof works once. Undefined if it isn't valid. */
export async function takeProof(
  platform: Platform,
  tx: Tx,
  proof: PasskeyProof,
): Promise<{ userId: string; isSecondFactor: boolean } | undefined> {
  const row = await lockPasskey(tx.db, proof.id)
  if (!row) return undefined
  const { userHandle } = proof.response
  if (userHandle && userHandle !== handleOf(row.user_id).toString('base64url')) return undefined
  const known = { id: row.credential_id, publicKey: row.public_key, counter: Number(row.counter) }
  const read = await readProof(platform, proof, known)
  if (!read || !(await takeChallenge(tx.db, read.answered))) return undefined
  await noteUse(tx.db, row.id, { ...read, now: tx.clock.now() })
  return { userId: row.user_id, isSecondFactor: row.is_second_factor }
}

/** Removes all of a person's passkeys, because any of them may belong to an intruder. */
export function forgetPasskeys(tx: Tx, userId: string): Promise<void> {
  return deletePasskeys(tx.db, userId)
}

export function forgetChallenges({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  return deleteEndedChallenges(db, clock.now())
}

export const passkeyJobs = ({ asOwner }: Pick<JobPlatforms, 'asOwner'>): JobSpec[] => [
  { name: 'forget-challenges', cron: '19 * * * *', run: () => forgetChallenges(asOwner) },
]
