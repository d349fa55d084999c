import type { Today } from '@duet/contract/discovery.ts'
import type { LikedItem } from '@duet/contract/likes.ts'
import { limits } from '@duet/contract/limits.ts'
import type { Match } from '@duet/contract/matches.ts'
import type { Decision, Profile } from '@duet/contract/profiles.ts'
import { signalsIn } from '@duet/contract/text-signals.ts'
import { after, minutes } from '../../platform/clock.ts'
import { AppError, conflict, invalid, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { forgetDecided, likableAmong } from '../candidates/candidates.ts'
import type { OnOpened } from '../conversations/conversations.ts'
import { makeMatch, matchWith, pairKey } from '../matches/matches.ts'
import { notify, withdraw } from '../notifications/notifications.ts'
import { findProfile } from '../profiles/profiles.ts'
import { todayOf } from './day.ts'
import {
  addPending,
  countSince,
  deleteDecision,
  findLatest,
  findLikedItems,
  findPair,
  lockLikes,
  lockPair,
  putDecision,
} from './likes.queries.ts'
import { countReceived } from './lists.ts'

export { likersOf } from './lists.ts'

const decisionsLimit = { name: 'decisions', points: 240, seconds: 60 }
/** How often somebody may change one like or take it back: whoever is liked hears of each time. */
const changedLikes = { name: 'changed_likes', points: 6, seconds: 86_400 }
/** Links in what is written with likes to people who have not answered; as many as in messages of somebody new. */
const likedLinks = { name: 'liked_links', points: 3, seconds: 86_400 }

export type Deciding =
  | { decision: 'like'; item?: LikedItem | undefined; comment?: string | undefined }
  | { decision: 'pass' | 'later' }

export interface Decided {
  decision: Decision
  match: Match | null
  today: Today
  undoable: number
}

/** What follows from a decision elsewhere: an open conversation, and what ranking learns. */
export interface DecisionHooks {
  onOpened: OnOpened
  /** Somebody said yes or no to somebody. */
  onDecided(actorId: string, targetId: string, yes: boolean): void
}

/** The liked thing with its text as it reads now. Throws `validation_failed` when the person has no such thing. */
async function itemOf(tx: Pick<Tx, 'db'>, userId: string, item: LikedItem | undefined) {
  if (!item) return null
  const { photos = [], prompts = [] } = (await findLikedItems(tx.db, userId)) ?? {}
  if (item.kind === 'photo' && photos.includes(item.fileName)) return { kind: item.kind, id: item.fileName, text: null }
  const prompt = item.kind === 'prompt' ? prompts.find(({ prompt: id }) => id === item.prompt) : undefined
  if (prompt) return { kind: 'prompt' as const, id: prompt.prompt, text: prompt.answer }
  throw invalid([{ path: 'item', message: 'is not on this profile' }])
}

async function requireLikesLeft(tx: Tx, viewerId: string): Promise<void> {
  const { likes, limit } = await todayOf(tx, viewerId)
  if (limit !== null && likes >= limit) {
    throw new AppError('daily_limit_reached', 'These were all likes of today. More come tomorrow.')
  }
}

type Pair = Awaited<ReturnType<typeof findPair>>
type Item = Awaited<ReturnType<typeof itemOf>>

/** Whether the viewer's like says already what they say again. */
function isSame(pair: Pair, item: Item, comment: string | undefined): boolean {
  return (
    pair.my_comment === (comment ?? null) &&
    pair.my_item_kind === (item?.kind ?? null) &&
    pair.my_item_id === (item?.id ?? null)
  )
}

/** Counts that somebody changes their like of somebody or takes it back. Throws `rate_limited`. */
function spendChange({ limits: budgets }: Pick<Tx, 'limits'>, viewerId: string, targetId: string): Promise<void> {
  return budgets.spendHere(changedLikes, `${viewerId} ${targetId}`)
}

/** Likes that wait: one more for the target unless they answered before, one less for the viewer who answers now. */
async function countPending(tx: Tx, viewerId: string, targetId: string, before: Pair, decision: Decision) {
  const answersTheirLike = before.theirs === 'like' && before.mine !== 'like' && before.mine !== 'pass'
  const waits = before.theirs === null || before.theirs === 'later'
  const now = decision === 'like' ? 1 : 0
  const then = before.mine === 'like' ? 1 : 0
  const changes = [
    ...(waits && now !== then ? [{ id: targetId, by: now - then }] : []),
    ...(answersTheirLike && decision !== 'later' ? [{ id: viewerId, by: -1 }] : []),
  ]
  if (changes.length > 0) await addPending(tx.db, changes, tx.clock.now())
}

/** Tells somebody how many likes wait for them. */
async function publishCount(platform: Platform, userId: string): Promise<void> {
  platform.realtime.publish([userId], 'likes_changed', { count: await countReceived(platform, userId) })
}

async function keep(
  tx: Tx,
  viewerId: string,
  targetId: string,
  input: Deciding,
  { fits, onOpened }: { fits: boolean; onOpened: OnOpened },
): Promise<{ repeated: boolean }> {
  if (input.decision === 'like') await lockLikes(tx.db, viewerId)
  await lockPair(tx.db, viewerId, targetId)
  const pair = await findPair(tx.db, viewerId, targetId)
  if (!pair.there || pair.apart) throw notFound()
  if (pair.matched) {
    if (input.decision === 'like') return { repeated: true }
    throw conflict('You like each other: end the match first.')
  }
  const isNewLike = input.decision === 'like' && pair.mine !== 'like'
  if (input.decision === 'like' && !fits) throw conflict('Your filters and theirs do not fit each other.')
  if (isNewLike) await requireLikesLeft(tx, viewerId)
  const liking = input.decision === 'like' ? input : undefined
  const item = await itemOf(tx, targetId, liking?.item)
  if (pair.mine === 'like') {
    // Told once: the same like is neither newer nor news.
    if (liking && isSame(pair, item, liking.comment)) return { repeated: true }
    await spendChange(tx, viewerId, targetId)
  }
  if (liking?.comment && pair.theirs !== 'like' && signalsIn(liking.comment).includes('link'))
    await tx.limits.spend(likedLinks, viewerId)
  await putDecision(tx.db, {
    actorId: viewerId,
    targetId,
    decision: input.decision,
    item,
    comment: liking?.comment ?? null,
    now: tx.clock.now(),
  })
  await countPending(tx, viewerId, targetId, pair, input.decision)
  if (liking && pair.theirs === 'like') {
    const lines = [
      ...(pair.their_comment ? [{ from: targetId, to: viewerId, text: pair.their_comment }] : []),
      ...(liking.comment ? [{ from: viewerId, to: targetId, text: liking.comment }] : []),
    ]
    await makeMatch(tx, viewerId, targetId, lines, onOpened)
  } else if (isNewLike) await tellOfLike(tx, viewerId, targetId)
  else if (pair.mine === 'like' && !liking) await withdraw(tx, targetId, pairKey(viewerId))
  tx.afterCommit((platform) => publishCount(platform, viewerId))
  if (isNewLike || pair.mine === 'like') tx.afterCommit((platform) => publishCount(platform, targetId))
  return { repeated: pair.mine === input.decision }
}

async function tellOfLike(tx: Tx, viewerId: string, targetId: string): Promise<void> {
  const name = (await findLikedItems(tx.db, viewerId))?.name ?? ''
  await notify(tx, targetId, { kind: 'like', params: { name }, link: '/likes', collapseKey: pairKey(viewerId) })
}

/**
 * Keeps what the viewer decided about somebody; safe to repeat and to race. Two likes make one match, whichever came
 * first. Throws not found for people who are not there for the viewer, `conflict` when the two do not fit or are a
 * match, `daily_limit_reached`, `validation_failed` for oneself and for things the profile has not.
 */
export async function decide(
  platform: Platform,
  viewerId: string,
  targetId: string,
  input: Deciding,
  hooks: DecisionHooks,
): Promise<Decided> {
  await platform.limits.spendHere(decisionsLimit, viewerId)
  if (targetId === viewerId) throw new AppError('validation_failed', 'Nobody can decide about themselves.')
  if (!isUuid(targetId)) throw notFound()
  const fits = input.decision !== 'like' || (await likableAmong(platform, viewerId, [targetId])).has(targetId)
  const { repeated } = await transaction(platform, (tx) =>
    keep(tx, viewerId, targetId, input, { fits, onOpened: hooks.onOpened }),
  )
  if (!repeated && input.decision !== 'later') hooks.onDecided(viewerId, targetId, input.decision === 'like')
  const match = input.decision === 'like' ? await matchWith(platform, viewerId, targetId) : null
  return { decision: input.decision, match, ...(await standing(platform, viewerId)) }
}

/** What the viewer's deck says beside its cards. */
export async function standing(platform: Platform, viewerId: string): Promise<{ today: Today; undoable: number }> {
  const since = after(platform.clock.now(), -minutes(limits.undoMinutes))
  const [today, undoable] = await Promise.all([todayOf(platform, viewerId), countSince(platform.db, viewerId, since)])
  return { today, undoable }
}

/**
 * Takes the viewer's decision about somebody back, also when they are gone: whyever that is, the answer is the same.
 * Throws not found when there is none, `conflict` when it is a match, `rate_limited`.
 */
export async function takeBack(platform: Platform, viewerId: string, targetId: string): Promise<Decision> {
  if (!isUuid(targetId)) throw notFound()
  return transaction(platform, async (tx) => {
    await lockPair(tx.db, viewerId, targetId)
    const pair = await findPair(tx.db, viewerId, targetId)
    // Of somebody who is not there for the viewer, a match must not tell.
    if (pair.matched) {
      throw pair.there && !pair.apart ? conflict('You like each other: end the match first.') : notFound()
    }
    const decision = pair.unmatched ? undefined : await deleteDecision(tx.db, viewerId, targetId)
    if (!decision) throw notFound()
    if (decision === 'like') {
      await spendChange(tx, viewerId, targetId)
      if (pair.theirs === null || pair.theirs === 'later')
        await addPending(tx.db, [{ id: targetId, by: -1 }], tx.clock.now())
      await withdraw(tx, targetId, pairKey(viewerId))
      tx.afterCommit((outside) => publishCount(outside, targetId))
    }
    tx.afterCommit((outside) => forgetDecided(outside, viewerId))
    tx.afterCommit((outside) => publishCount(outside, viewerId))
    return decision
  })
}

interface Undone {
  userId: string
  decision: Decision
  card: Profile | null
  today: Today
  undoable: number
}

/** Takes the viewer's latest decision of the last 10 minutes back. Throws not found when there is none. */
export async function undo(platform: Platform, viewerId: string): Promise<Undone> {
  const since = after(platform.clock.now(), -minutes(limits.undoMinutes))
  const userId = await findLatest(platform.db, viewerId, since)
  if (!userId) throw notFound()
  const decision = await takeBack(platform, viewerId, userId)
  const card = await findProfile(platform, viewerId, userId)
  return { userId, decision, card: card ?? null, ...(await standing(platform, viewerId)) }
}
