import { isIP } from 'node:net'
import type { LinkedAccount } from '@duet/contract/moderation.ts'
import { promised } from '@duet/contract/promised.ts'
import { after, days } from '../../platform/clock.ts'
import { foldedName } from '../../platform/folded-name.ts'
import { eachStep } from '../../platform/jobs/each-one.ts'
import { addJobIn } from '../../platform/jobs/jobs.ts'
import { mailboxOf } from '../../platform/mailbox.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Secrets } from '../../platform/security/secrets.ts'
import { transaction } from '../../platform/transaction.ts'
import { setFoundAfter } from '../candidates/candidates.ts'
import { openReview } from '../claims/open-review.ts'
import { readFiles } from '../photos/photo-files.ts'
import { showAnew } from '../presence/presence.ts'
import { deleteKeptBefore } from './banned.queries.ts'
import {
  blockAsLinked,
  findIdentities,
  findLikenesses,
  findLinked,
  findResembling,
  findUnprinted,
  findWho,
  forgetNetworks,
  insertPhotoPrint,
  type Likeness,
  lockReviewAbout,
  putEarlier,
  putEarlierMailbox,
  putSignals,
  setUnseen,
  unblockLinked,
} from './linked.queries.ts'

/** How long networks and devices are compared, and how long they are stored. */
const networkLife = { compared: days(7), kept: days(promised.networkDays) }
const reportedLife = days(promised.mailboxDays)
const mostBlocks = 500
/** Sorts before every id. */
const noId = '00000000-0000-0000-0000-000000000000'
const mostLinked = 20
export const reviewKind = 'linked_account'
/** With this many points, a person is hidden from those who blocked them; with fewer, a moderator only reviews them. */
const enoughPoints = 2
/** The longest that a person is hidden without a review. */
export const longestUnseen = days(promised.holdDays)

export const addressSignal = (secrets: Secrets, address: string): Buffer =>
  secrets.hmac('linked-address', mailboxOf(address))

export const identitySignal = (secrets: Secrets, { issuer, subject }: { issuer: string; subject: string }): Buffer =>
  secrets.hmac('linked-identity', issuer, subject)

export const personSignal = (secrets: Secrets, folded: string, birthDate: string): Buffer =>
  secrets.hmac('linked-person', folded, birthDate)

/**
 * The first three octets of an IPv4 address, or the IPv6 prefix from networkOf. Undefined for private and local
 * addresses.
 */
function prefixOf(network: string): string | undefined {
  if (isIP(network) !== 4) return /^(f[cd]|fe[89ab]|0:0:0:0)/.test(network) ? undefined : network
  if (/^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(network)) return undefined
  return network.split('.').slice(0, 3).join('.')
}

const isClosed = ({ standing }: Likeness) => standing === 'suspended' || standing === 'banned'

/**
 * Opens a review of a person who seems to have come back with a new account. Returns the accounts whose blocks also
 * apply to them.
 */
async function noteReturn(tx: Tx, userId: string): Promise<string[]> {
  const review = await lockReviewAbout(tx.db, userId, reviewKind)
  if (review?.outcome === 'dismissed') return []
  const likenesses = await findLikenesses(tx.db, userId, after(tx.clock.now(), -networkLife.compared))
  const likely = likenesses.filter(({ counted }) => counted >= enoughPoints)
  const waits = !review || (review.outcome === 'open' && review.created_at > after(tx.clock.now(), -longestUnseen))
  if (waits && likely.some(isClosed)) {
    await setUnseen(tx.db, userId, true)
    tx.afterCommit(() => showAnew(tx, userId))
  }
  if (likenesses.length > 0 && !review) {
    const lines = likenesses.map((one) => {
      const { user_id, standing, signals } = one
      return `${user_id}, ${isClosed(one) ? standing : 'blocked'} (the same ${signals.join(', ')})`
    })
    await openReview(tx, { kind: reviewKind, userId, note: `Seems to be ${lines.slice(0, 5).join('; ')}.` })
  }
  return likely.map(({ user_id }) => user_id)
}

/**
 * Applies a batch of the blocks against other accounts to a person. Stops if a moderator has decided that they are
 * someone else.
 */
async function applyBlocks(tx: Tx, userId: string, otherIds: readonly string[], from: string): Promise<string[]> {
  if ((await lockReviewAbout(tx.db, userId, reviewKind))?.outcome === 'dismissed') return []
  tx.afterCommit(() => showAnew(tx, userId))
  return blockAsLinked(tx.db, { userId, otherIds }, { from, most: mostBlocks })
}

/**
 * Hides a person who seems to have come back with a new account from people who blocked them, or from everyone if the
 * other account is suspended or banned, and opens a review. Idempotent.
 */
export async function compareNewcomer(platform: Platform, userId: string): Promise<void> {
  const otherIds = await transaction(platform, (tx) => noteReturn(tx, userId))
  if (otherIds.length === 0) return
  let from: string | undefined = noId
  while (from) {
    const last: string = from
    const blockers = await transaction(platform, (tx) => applyBlocks(tx, userId, otherIds, last))
    from = blockers.length === mostBlocks ? blockers.at(-1) : undefined
  }
}

/**
 * Queues a comparison of a person with earlier accounts. It runs after this transaction commits, and is retried until
 * it succeeds.
 */
export function addRecognition(db: Tx['db'], userId: string): Promise<void> {
  return addJobIn(db, 'recognise', { userId }, `recognise:${userId}`)
}

/** Compares accounts that resemble a person's account after it was blocked, suspended or banned. */
export async function compareOthers(platform: Platform, userId: string): Promise<void> {
  const since = after(platform.clock.now(), -networkLife.compared)
  for (const id of await findResembling(platform.db, userId, since, mostLinked)) await compareNewcomer(platform, id)
}

/**
 * Stores a newcomer's identifying signals. Run it in the transaction that creates the account; otherwise a ban might
 * not outlive the account.
 */
export async function noteNewcomer(
  { db, secrets, clock }: Pick<Platform, 'db' | 'secrets' | 'clock'>,
  { userId, network, device }: { userId: string; network: string; device: string },
): Promise<void> {
  const who = await findWho(db, userId)
  if (!who) return
  const prefix = prefixOf(network)
  const signals = [
    { kind: 'address' as const, value: addressSignal(secrets, who.email) },
    { kind: 'person' as const, value: personSignal(secrets, foldedName(who.name), who.birth_date) },
    ...(prefix === undefined
      ? []
      : [{ kind: 'network' as const, value: secrets.hmac('linked-network', prefix, device) }]),
  ]
  await putSignals(db, userId, signals, clock.now())
  await noteIdentities({ db, secrets }, userId)
}

/** Stores an account's identities at sign-in providers, because its owner may come back with another mailbox. */
export async function noteIdentities({ db, secrets }: Pick<Platform, 'db' | 'secrets'>, userId: string): Promise<void> {
  for (const one of await findIdentities(db, userId)) await putEarlier(db, userId, identitySignal(secrets, one))
}

/** Stores the mailbox that an account moves to. The account stays recognisable by its earlier mailboxes. */
export async function noteMove(
  { db, secrets, clock }: Pick<Tx, 'db' | 'secrets' | 'clock'>,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<void> {
  const before = addressSignal(secrets, from)
  const now = addressSignal(secrets, to)
  await putEarlierMailbox(db, userId, before, now)
  await putSignals(db, userId, [{ kind: 'address', value: now }], clock.now())
}

export async function noteNewPhotos(platform: Platform, userId: string): Promise<void> {
  for (const fileName of await findUnprinted(platform.db, userId)) {
    const bytes = await readFiles(platform, fileName, 320)
    const print = bytes && (await platform.decoders.decode(userId, { decoder: 'print', bytes }))
    if (typeof print !== 'bigint') continue
    await transaction(platform, async ({ db }) => {
      await insertPhotoPrint(db, userId, fileName, print)
      await addRecognition(db, userId)
    })
  }
}

/** For the administrator who decides: accounts that seem to belong to the same person, with the matching signals. */
export async function linkedWith({ db, clock }: Pick<Tx, 'db' | 'clock'>, userId: string): Promise<LinkedAccount[]> {
  const rows = await findLinked(db, userId, after(clock.now(), -networkLife.compared), mostLinked)
  return rows.map(({ id, name, standing, signals }) => ({ person: { id, name }, standing, signals }))
}

/** Releases a person's held likes, and notifies their targets if `isTold`. Returns whether there may be more. */
export type ReleaseLikes = (tx: Tx, userId: string, isTold: boolean) => Promise<boolean>

/**
 * Applies a moderator's decision: the person is visible again and, if the review was dismissed, no longer blocked
 * through other accounts. Likes and messages are released after the resulting sanction, if any.
 */
export async function settleLinked(
  tx: Tx,
  { kind, userId, outcome }: { kind: string; userId: string; outcome: 'upheld' | 'dismissed' },
  releaseLikes: ReleaseLikes,
): Promise<void> {
  if (kind !== reviewKind) return
  await setUnseen(tx.db, userId, false)
  await setFoundAfter(tx, [userId])
  if (outcome === 'dismissed') {
    await unblockLinked(tx.db, userId)
    await releaseLikes(tx, userId, true)
  }
  tx.afterCommit(() => showAnew(tx, userId))
}

/**
 * Deletes old networks and devices, and the mailboxes of erased accounts that no sanction or open report needs anymore.
 */
export async function forgetLinks({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  await eachStep(
    () => forgetNetworks(db, after(clock.now(), -networkLife.kept)),
    () => deleteKeptBefore(db, clock.now(), after(clock.now(), -reportedLife)),
  )
}
