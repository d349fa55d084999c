import { createHash, randomBytes } from 'node:crypto'
import type { Session } from '@duet/contract/accounts.ts'
import { after } from '../../platform/clock.ts'
import { conflict, forbidden, notFound } from '../../platform/errors.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { type Newcomer, type OnArriving, type Origin, registerProven, signInAs } from '../accounts/accounts.ts'
import { sendNotice } from '../accounts/notices.ts'
import { lives } from './browser.ts'
import {
  deleteExpiredProofs,
  deleteLinked,
  deleteRemoved,
  findIdentity,
  findProof,
  hasAccount,
  insertIdentity,
  insertProof,
  listIdentitiesOf,
  lockIdentityOwner,
  lockOwnerByAddress,
  markRemoved,
  type ProofKey,
  type ProofRow,
  takeIdentityProof,
} from './identities.queries.ts'
import { type Claims, ProviderError } from './provider.ts'

export interface Handed {
  code: string
  browser: string
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()
const keyOf = ({ code, browser }: Handed): ProofKey => ({ codeHash: hashOf(code), browserHash: hashOf(browser) })

/**
 * Stores the provider's claims until the browser uses them, and returns the code for that. Throws `ProviderError` if
 * the identity isn't linked to an account and its address isn't verified.
 */
export async function keepProof(
  platform: Pick<Platform, 'db' | 'clock'>,
  { issuer, subject, email }: Claims,
  browser: string,
  stays: boolean,
): Promise<string> {
  if (!email && !(await findIdentity(platform.db, { issuer, subject })))
    throw new ProviderError('unverified', new Error('the address is not verified'))
  const code = randomBytes(32).toString('base64url')
  const expiresAt = after(platform.clock.now(), lives.proof)
  const proof = { issuer, subject, email: email ?? null, stays, expires_at: expiresAt }
  await insertProof(platform.db, keyOf({ code, browser }), proof)
  return code
}

export type OnLinked = (tx: Tx, userId: string) => Promise<void>

const refused = () => conflict('The owner of this account has removed this sign-in, or uses another one.')

/**
 * Finds the account that a proof belongs to; undefined if there is none. If the identity is new, links it to the
 * account with the verified address. Throws conflict, and forbidden for administrators, because a provider must not be
 * able to grant administrator rights.
 */
async function ownerOf(tx: Tx, proof: ProofRow, adminEmail: string | undefined): Promise<string | undefined> {
  const known = await findIdentity(tx.db, proof)
  const account = known ? await lockIdentityOwner(tx.db, known.user_id) : await lockOwnerByAddress(tx.db, proof.email)
  if (!account) return undefined
  if (account.is_super_admin || account.email === adminEmail) throw forbidden()
  // Reads the identity again now that the account is locked.
  const linked = await findIdentity(tx.db, proof)
  if (linked && (linked.removed_at || linked.user_id !== account.id)) throw refused()
  if (linked) return account.id
  if (known || !(await insertIdentity(tx.db, proof, account.id, tx.clock.now()))) throw refused()
  await sendNotice(tx, { userId: account.id, notice: 'identity_linked' })
  return account.id
}

/**
 * Signs in with a proof, or returns the address to sign up with. Throws `invalid_credentials` if the code is used,
 * expired or from another browser, forbidden for administrators, and conflict for a removed identity.
 */
export async function finishSignIn(
  platform: Platform,
  handed: Handed,
  origin: Origin,
  onLinked: OnLinked,
): Promise<Session | { needsSignUp: true; email: string }> {
  const { superAdminEmail } = platform.config
  const found = await findProof(platform.db, keyOf(handed), platform.clock.now())
  if (found?.email && !(await findIdentity(platform.db, found)) && !(await hasAccount(platform.db, found.email))) {
    if (found.email === superAdminEmail) throw forbidden()
    return { needsSignUp: true, email: found.email }
  }
  const proved = async (tx: Tx) => {
    const proof = await takeIdentityProof(tx.db, keyOf(handed), tx.clock.now())
    const userId = proof && (await ownerOf(tx, proof, superAdminEmail))
    if (userId) await onLinked(tx, userId)
    return userId
  }
  return signInAs(platform, proved, { ...origin, stays: found?.stays })
}

/** Signs up with a proof. Throws the same errors as `registerProven`, and forbidden for an administrator's address. */
export async function signUp(
  platform: Platform,
  handed: Handed,
  newcomer: Newcomer,
  { origin, onArriving }: { origin: Origin; onArriving: OnArriving },
): Promise<Session> {
  const found = await findProof(platform.db, keyOf(handed), platform.clock.now())
  const email = found?.email
  if (!email) return signInAs(platform, async () => undefined, origin)
  if (email === platform.config.superAdminEmail) throw forbidden()
  const spend = async (tx: Tx, userId: string) => {
    const proof = await takeIdentityProof(tx.db, keyOf(handed), tx.clock.now())
    return proof !== undefined && insertIdentity(tx.db, proof, userId, tx.clock.now())
  }
  return registerProven(platform, { ...newcomer, email }, spend, { ...origin, stays: found.stays }, onArriving)
}

/** The viewer's identities, with the display name that the operator chose for the provider. */
export async function listIdentities({ db, config }: Pick<Platform, 'db' | 'config'>, viewerId: string) {
  const rows = await listIdentitiesOf(db, viewerId)
  const nameOf = (issuer: string) => (issuer === config.oidc?.issuer ? config.oidc.name : new URL(issuer).hostname)
  return rows.map(({ id, issuer, created_at: createdAt, removed_at: removedAt }) => ({
    id,
    name: nameOf(issuer),
    createdAt: createdAt.toISOString(),
    removed: removedAt !== null,
  }))
}

export async function removeIdentity(platform: Platform, viewerId: string, id: string): Promise<void> {
  await transaction(platform, async (tx) => {
    if (!(await lockIdentityOwner(tx.db, viewerId)) || !(await markRemoved(tx.db, viewerId, id, tx.clock.now())))
      throw notFound()
    await sendNotice(tx, { userId: viewerId, notice: 'identity_removed' })
  })
}

export async function allowIdentity({ db }: Pick<Platform, 'db'>, viewerId: string, id: string): Promise<void> {
  if (!(await deleteRemoved(db, viewerId, id))) throw notFound()
}

/** Deletes all identities of an account, because any of them may belong to someone who had taken over the account. */
export function forgetIdentities(tx: Tx, userId: string): Promise<void> {
  return deleteLinked(tx.db, userId)
}

export function forgetExpiredProofs({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  return deleteExpiredProofs(db, clock.now())
}

export const identityJobs = ({ asOwner }: JobPlatforms): JobSpec[] => [
  { name: 'forget-identity-proofs', cron: '27 * * * *', run: () => forgetExpiredProofs(asOwner) },
]
