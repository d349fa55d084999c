import { isIP } from 'node:net'
import type { LinkedAccount } from '@duet/contract/moderation.ts'
import { after, days } from '../../platform/clock.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { transaction } from '../../platform/transaction.ts'
import { openReview } from '../moderation/moderation.ts'
import { readFiles } from '../photos/photos.ts'
import { deleteBansBefore } from './banned.queries.ts'
import {
  blockAsLinked,
  findLikenesses,
  findLinked,
  findReview,
  findUnprinted,
  findWho,
  forgetNetworks,
  putPrint,
  putSignals,
  setUnseen,
  unblockLinked,
} from './linked.queries.ts'
import { photoPrint } from './photo-print.ts'

/** How long the same network and device say something, and how long they are kept. */
const networkLife = { compared: days(7), kept: days(90) }
/** As many as somebody reads. */
const mostLinked = 20
const reviewKind = 'linked_account'
/** From how many points somebody is kept apart; with fewer, only a person looks. */
const enoughPoints = 2

/** An address as its mailbox has it: without a tag; of Gmail, without dots. */
export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.trim().toLowerCase().split('@')
  const [plain = ''] = local.split('+', 1)
  return domain === 'gmail.com' || domain === 'googlemail.com'
    ? `${plain.replaceAll('.', '')}@gmail.com`
    : `${plain}@${domain}`
}

/** What a mailbox is recognised by: a keyed hash. */
export const addressSignal = (secrets: Secrets, address: string): Buffer =>
  secrets.hmac('linked-address', mailboxOf(address))

/** The first three parts of IPv4; whatever networkOf gives of IPv6. Undefined where an address tells nothing. */
function prefixOf(network: string): string | undefined {
  if (isIP(network) !== 4) return /^(f[cd]|fe[89ab]|0:0:0:0)/.test(network) ? undefined : network
  if (/^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(network)) return undefined
  return network.split('.').slice(0, 3).join('.')
}

/** Keeps whoever comes back apart from those who blocked them, and has a person look. */
async function link(platform: Platform, userId: string): Promise<void> {
  await transaction(platform, async (tx) => {
    const since = after(tx.clock.now(), -networkLife.compared)
    const review = await findReview(tx.db, userId, reviewKind)
    if (review === 'dismissed') return
    const likenesses = await findLikenesses(tx.db, userId, since)
    const likely = likenesses.filter(({ points }) => points >= enoughPoints)
    for (const { user_id } of likely) await blockAsLinked(tx.db, userId, user_id, tx.clock.now())
    if (likely.some(({ banned }) => banned) && review !== 'upheld') await setUnseen(tx.db, userId, true)
    if (likenesses.length === 0 || review) return
    const lines = likenesses.map(
      ({ user_id, banned, signals }) => `${user_id}, ${banned ? 'banned' : 'blocked'} (the same ${signals.join(', ')})`,
    )
    await openReview(tx, { kind: reviewKind, userId, note: `Seems to be ${lines.slice(0, 5).join('; ')}.` })
  })
}

/** Notes what somebody new is recognised by, and looks whether they were here before. */
export async function noteNewcomer(
  platform: Platform,
  userId: string,
  { network, device }: { network: string; device: string },
): Promise<void> {
  const { db, secrets, clock } = platform
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
  await link(platform, userId)
}

/** The same for new photos of theirs. */
export async function noteNewPhotos(platform: Platform, userId: string): Promise<void> {
  const fileNames = await findUnprinted(platform.db, userId)
  if (fileNames.length === 0) return
  for (const fileName of fileNames) {
    const bytes = await readFiles(platform, fileName, 320)
    const print = bytes && (await photoPrint(bytes))
    if (print !== undefined) await putPrint(platform.db, userId, fileName, print)
  }
  await link(platform, userId)
}

/** Who seems to be the same person as somebody, and by what, for the administrator who decides about them. */
export async function linkedWith({ db, clock }: Pick<Tx, 'db' | 'clock'>, userId: string): Promise<LinkedAccount[]> {
  const rows = await findLinked(db, userId, after(clock.now(), -networkLife.compared), mostLinked)
  return rows.map(({ id, name, standing, signals }) => ({ person: { id, name }, standing, signals }))
}

/** Notes what a person found: nobody waits for them any more, and, dismissed, nothing is kept from anybody. */
export async function settleLinked(
  tx: Pick<Tx, 'db'>,
  { kind, userId, outcome }: { kind: string; userId: string; outcome: 'upheld' | 'dismissed' },
): Promise<void> {
  if (kind !== reviewKind) return
  await setUnseen(tx.db, userId, false)
  if (outcome === 'dismissed') await unblockLinked(tx.db, userId)
}

/** Forgets networks and devices of long ago, and bans that are over. */
export async function forgetLinks({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  await forgetNetworks(db, after(clock.now(), -networkLife.kept))
  await deleteBansBefore(db, clock.now())
}
