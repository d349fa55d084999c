import { isIP } from 'node:net'
import type { LinkedAccount } from '@duet/contract/moderation.ts'
import { after, days } from '../../platform/clock.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { mailboxOf } from '../../platform/mailbox.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Secrets } from '../../platform/security/secrets.ts'
import { openReview } from '../moderation/open-review.ts'
import { readFiles } from '../photos/photo-files.ts'
import { showAnew } from '../presence/presence.ts'
import { deleteBansBefore } from './banned.queries.ts'
import {
  blockAsLinked,
  findLikenesses,
  findLinked,
  findUnprinted,
  findWho,
  forgetNetworks,
  lockReviewOutcome,
  putEarlierMailbox,
  putPrint,
  putSignals,
  setUnseen,
  unblockLinked,
} from './linked.queries.ts'

/** How long the same network and device say something, and how long they are kept. */
const networkLife = { compared: days(7), kept: days(90) }
/** As many as an administrator reads. */
const mostLinked = 20
const reviewKind = 'linked_account'
/** From how many points a person is kept apart; with fewer, a moderator looks. */
const enoughPoints = 2

/** What a mailbox is recognised by: a keyed hash. */
export const addressSignal = (secrets: Secrets, address: string): Buffer =>
  secrets.hmac('linked-address', mailboxOf(address))

/** The first three parts of IPv4; whatever networkOf gives of IPv6. Undefined where an address tells nothing. */
function prefixOf(network: string): string | undefined {
  if (isIP(network) !== 4) return /^(f[cd]|fe[89ab]|0:0:0:0)/.test(network) ? undefined : network
  if (/^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(network)) return undefined
  return network.split('.').slice(0, 3).join('.')
}

/** Keeps a person who comes back apart from those who blocked them, and opens a review. */
export async function compareNewcomer(platform: Platform, userId: string): Promise<void> {
  await transaction(platform, async (tx) => {
    const since = after(tx.clock.now(), -networkLife.compared)
    const review = await lockReviewOutcome(tx.db, userId, reviewKind)
    if (review === 'dismissed') return
    const likenesses = await findLikenesses(tx.db, userId, since)
    const likely = likenesses.filter(({ points }) => points >= enoughPoints)
    for (const { user_id } of likely) await blockAsLinked(tx.db, userId, user_id, tx.clock.now())
    if (likely.some(({ banned }) => banned) && review !== 'upheld') await setUnseen(tx.db, userId, true)
    if (likely.length > 0) tx.afterCommit(() => showAnew(tx, userId))
    if (likenesses.length === 0 || review) return
    const lines = likenesses.map(
      ({ user_id, banned, signals }) => `${user_id}, ${banned ? 'banned' : 'blocked'} (the same ${signals.join(', ')})`,
    )
    await openReview(tx, { kind: reviewKind, userId, note: `Seems to be ${lines.slice(0, 5).join('; ')}.` })
  })
}

/** Notes what a newcomer is recognised by. For the transaction that makes the account: without it, a ban has nothing to outlive it by. */
export async function noteNewcomer(
  { db, secrets, clock }: Pick<Platform, 'db' | 'secrets' | 'clock'>,
  { userId, network, device }: { userId: string; network: string; device: string },
): Promise<void> {
  const who = await findWho(db, userId)
  if (!who) return
  const prefix = prefixOf(network)
  const of = (kind: 'network' | 'person', ...parts: string[]) => ({
    kind,
    value: secrets.hmac(`linked-${kind}`, ...parts),
  })
  const signals = [
    { kind: 'address' as const, value: addressSignal(secrets, who.email) },
    of('person', who.name.trim().toLowerCase(), who.birth_date),
    ...(prefix === undefined ? [] : [of('network', prefix, device)]),
  ]
  await putSignals(db, userId, signals, clock.now())
}

/** Notes the mailbox that an account moves to; it goes on being recognised by those it had. */
export async function noteMove(
  { db, secrets, clock }: Pick<Tx, 'db' | 'secrets' | 'clock'>,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<void> {
  const [before, now] = [addressSignal(secrets, from), addressSignal(secrets, to)]
  await putEarlierMailbox(db, userId, before, now)
  await putSignals(db, userId, [{ kind: 'address', value: now }], clock.now())
}

/** The same for new photos of theirs. */
export async function noteNewPhotos(platform: Platform, userId: string): Promise<void> {
  const fileNames = await findUnprinted(platform.db, userId)
  if (fileNames.length === 0) return
  for (const fileName of fileNames) {
    const bytes = await readFiles(platform, fileName, 320)
    const print = bytes && (await platform.decoders.decode(userId, { decoder: 'print', bytes }))
    if (typeof print === 'bigint') await putPrint(platform.db, userId, fileName, print)
  }
  await compareNewcomer(platform, userId)
}

/** Accounts that seem to be of the same person, and by what, for the administrator who decides about them. */
export async function linkedWith({ db, clock }: Pick<Tx, 'db' | 'clock'>, userId: string): Promise<LinkedAccount[]> {
  const rows = await findLinked(db, userId, after(clock.now(), -networkLife.compared), mostLinked)
  return rows.map(({ id, name, standing, signals }) => ({ person: { id, name }, standing, signals }))
}

/** Releases the unheard likes of a person; their targets are notified when `isTold`. */
export type ReleaseLikes = (tx: Tx, userId: string, isTold: boolean) => Promise<void>

/** Notes what a moderator found: the person is visible again and, when dismissed, no longer kept apart. */
export async function settleLinked(
  tx: Tx,
  { kind, userId, outcome }: { kind: string; userId: string; outcome: 'upheld' | 'dismissed' },
  releaseLikes: ReleaseLikes,
): Promise<void> {
  if (kind !== reviewKind) return
  await setUnseen(tx.db, userId, false)
  if (outcome === 'dismissed') await unblockLinked(tx.db, userId)
  await releaseLikes(tx, userId, outcome === 'dismissed')
  tx.afterCommit(() => showAnew(tx, userId))
}

/** Forgets networks and devices of long ago, and bans that are over. */
export async function forgetLinks({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  await forgetNetworks(db, after(clock.now(), -networkLife.kept))
  await deleteBansBefore(db, clock.now())
}
