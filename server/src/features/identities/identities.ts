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

/** What the page hands in, and the browser that it comes from. */
export interface Handed {
  code: string
  browser: string
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()
const keyOf = ({ code, browser }: Handed): ProofKey => ({ codeHash: hashOf(code), browserHash: hashOf(browser) })

/**
 * Keeps what the provider has said until its browser comes for it, and gives the code to come with. Throws `ProviderError`
 * where the account there is linked to none here and its address is not verified.
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

/** Called when an account at a provider can sign in to an account here, including the first time. */
export type OnLinked = (tx: Tx, userId: string) => Promise<void>

const refused = () => conflict('The owner of this account has removed this sign-in, or uses another one.')

/**
 * The account that a proof is of, undefined where there is none. The first time, the address that the provider has verified
 * links it. Throws forbidden for administrators, whose rights are not for a provider to give away, and conflict.
 */
async function ownerOf(tx: Tx, proof: ProofRow, adminEmail: string | undefined): Promise<string | undefined> {
  const known = await findIdentity(tx.db, proof)
  const account = known ? await lockIdentityOwner(tx.db, known.user_id) : await lockOwnerByAddress(tx.db, proof.email)
  if (!account) return undefined
  if (account.is_super_admin || account.email === adminEmail) throw forbidden()
  // Anew, now that no one else changes it.
  const linked = await findIdentity(tx.db, proof)
  if (linked && (linked.removed_at || linked.user_id !== account.id)) throw refused()
  if (linked) return account.id
  if (known || !(await insertIdentity(tx.db, proof, account.id, tx.clock.now()))) throw refused()
  await sendNotice(tx, { userId: account.id, notice: 'identity_linked' })
  return account.id
}

/**
 * Signs in with what the provider said, or gives the address to sign up with. Throws `invalid_credentials` for a code that
 * is used, too old or another browser's, forbidden for administrators, conflict for what its owner has removed.
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

/** Signs up with what the provider said. Throws as `registerProven` does, and forbidden for the address of an administrator. */
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

/** What signs the viewer in beside their mailbox, with the name that the operator gave its provider. */
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

/** Removes one of the viewer's linked accounts and tells their address. Throws not found. */
export async function removeIdentity(platform: Platform, viewerId: string, id: string): Promise<void> {
  await transaction(platform, async (tx) => {
    if (!(await lockIdentityOwner(tx.db, viewerId)) || !(await markRemoved(tx.db, viewerId, id, tx.clock.now())))
      throw notFound()
    await sendNotice(tx, { userId: viewerId, notice: 'identity_removed' })
  })
}

/** Lets a provider link an account of the viewer again. Throws not found for what was not removed. */
export async function allowIdentity({ db }: Pick<Platform, 'db'>, viewerId: string, id: string): Promise<void> {
  if (!(await deleteRemoved(db, viewerId, id))) throw notFound()
}

/** Forgets what is linked to an account: any of it may be that of someone who held the account. */
export function forgetIdentities(tx: Tx, userId: string): Promise<void> {
  return deleteLinked(tx.db, userId)
}

/** Removes proofs that no one came for in time. */
export function forgetExpiredProofs({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  return deleteExpiredProofs(db, clock.now())
}

export const identityJobs = ({ asOwner }: JobPlatforms): JobSpec[] => [
  { name: 'forget-identity-proofs', cron: '27 * * * *', run: () => forgetExpiredProofs(asOwner) },
]
