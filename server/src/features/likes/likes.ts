import type { DeckCounts } from '@duet/contract/discovery.ts'
import type { LikedItem } from '@duet/contract/likes.ts'
import type { Match } from '@duet/contract/matches.ts'
import type { Decision, Profile } from '@duet/contract/profiles.ts'
import { signalsIn } from '@duet/contract/text-signals.ts'
import { AppError, conflict, invalid, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { fitsAsShown, fitsWith, getSearcher, type Searcher } from '../candidates/candidates.ts'
import { forgetDecisionsInIndex } from '../candidates/keep-index.ts'
import { isListed } from '../candidates/waiting-likes.ts'
import type { OnOpened } from '../conversations/hooks.ts'
import { endUnheardMatch, makeMatch, makeUnheardMatch, matchWith } from '../matches/matches.ts'
import { noteLesson } from '../matching/learning.ts'
import { profilesOf } from '../profiles/cards.ts'
import { deckCounts, requireLikesLeft } from './day.ts'
import {
  deleteDecision,
  findLikedItems,
  findPair,
  lockLike,
  lockPair,
  type NewDecision,
  putDecision,
  setHeard,
} from './likes.queries.ts'
import { countPending } from './pending.ts'
import { publishAnswered, publishCount, tellOfLike, withdrawLike } from './telling.ts'

/** How often an actor may change or retract one like. Limited because the target is notified each time. */
const changedLikes = { name: 'changed_likes', points: 6, seconds: 86_400 }
/** Limits links in comments to people who haven't answered, like links in a newcomer's messages. */
const likedLinks = { name: 'liked_links', points: 3, seconds: 86_400 }

export type Deciding =
  | { decision: 'like'; item?: LikedItem | undefined; comment?: string | undefined }
  | { decision: 'pass' | 'later' }

export interface Decided extends DeckCounts {
  decision: Decision
  match: Match | null
}

export interface DecisionHooks {
  onOpened: OnOpened
  onDecided(actorId: string, targetId: string, yes: boolean): void
}

/** The liked photo or prompt, with its current text. Throws `validation_failed` if the profile doesn't have it. */
async function itemOf(tx: Pick<Tx, 'db'>, userId: string, item: LikedItem | undefined) {
  if (!item) return null
  const { photos = [], prompts = [] } = (await findLikedItems(tx.db, userId)) ?? {}
  if (item.kind === 'photo' && photos.includes(item.fileName)) return { kind: item.kind, id: item.fileName, text: null }
  const prompt = item.kind === 'prompt' ? prompts.find(({ prompt: id }) => id === item.prompt) : undefined
  if (prompt) return { kind: 'prompt' as const, id: prompt.prompt, text: prompt.answer }
  throw invalid([{ path: 'item', message: 'is not on this profile' }])
}

/** Whether the like is hidden from the target, and whether that is because the actor's location is unpublished. */
type Hold = Pick<NewDecision, 'held' | 'waitsForPlace'>
const notHeld: Hold = { held: false, waitsForPlace: false }

type Pair = Awaited<ReturnType<typeof findPair>>
type Item = Awaited<ReturnType<typeof itemOf>>

function isSame(pair: Pair, item: Item, comment: string | undefined): boolean {
  return (
    pair.my_comment === (comment ?? null) &&
    pair.my_item_kind === (item?.kind ?? null) &&
    pair.my_item_id === (item?.id ?? null)
  )
}

/** Counts a changed or retracted like. Throws `rate_limited`. */
function spendChange({ limits: budgets }: Pick<Tx, 'limits'>, viewerId: string, targetId: string): Promise<void> {
  return budgets.spendHere(changedLikes, `${viewerId} ${targetId}`)
}

/**
 * Passes a decision, or its retraction, to ranking. `held` means that the target isn't notified of it. The caller must
 * hold the pair's lock.
 */
async function noteForRanking(
  tx: Tx,
  { viewerId, targetId, held }: { viewerId: string; targetId: string; held: boolean },
  pair: Pair,
  decision: Decision | null,
): Promise<void> {
  await noteLesson(tx, { actorId: viewerId, targetId, before: pair.mine, decision })
  const mine = { decision: pair.mine, at: pair.my_decided_at, held: pair.my_held }
  const theirs = { decision: pair.theirs, at: pair.their_decided_at, held: pair.their_held }
  const now = { decision, at: decision === pair.mine ? pair.my_decided_at : tx.clock.now(), held }
  await countPending(tx, { viewerId, targetId }, { mine, theirs }, now)
}

/** Whether the like is held until a moderator has reviewed the viewer, or until the viewer's location is published. */
async function holdOf(tx: Tx, { viewerId, shown, me }: Searcher, targetId: string, pair: Pair): Promise<Hold> {
  // A like that was released once is never held again.
  if (pair.mine === 'like' && !pair.my_held) return notHeld
  if (shown === me) return { held: pair.unseen, waitsForPlace: false }
  // Read again under the lock: if the location were published in the meantime, nothing would release a like that is
  // then stored as held.
  const viewer = await getSearcher(tx, viewerId)
  const waitsForPlace = viewer.shown !== viewer.me && !(await fitsAsShown(tx, viewer, targetId))
  return { held: pair.unseen || waitsForPlace, waitsForPlace }
}

interface Matching {
  comment: string | undefined
  held: boolean
  onOpened: OnOpened
}

async function answerLike(
  tx: Tx,
  viewerId: string,
  targetId: string,
  pair: Pair,
  { comment, held, onOpened }: Matching,
) {
  const mine = comment ? [{ from: viewerId, to: targetId, text: comment }] : []
  // The other person's comment isn't added until this like is released, because both people see the conversation.
  if (held) return makeUnheardMatch(tx, { userId: viewerId, peerId: targetId }, mine)
  if (pair.their_held) await setHeard(tx.db, targetId, viewerId)
  const theirs = pair.their_comment ? [{ from: targetId, to: viewerId, text: pair.their_comment }] : []
  await makeMatch(tx, viewerId, targetId, [...theirs, ...mine], onOpened)
}

/** How a decision changed the two people's lists of received likes. */
interface Outcome {
  /** The viewer's list: the target's like became a match, or the viewer answered it or retracted their answer. */
  mine: 'matched' | 'answered' | undefined
  isTheirsChanged: boolean
}
const nothingChanged: Outcome = { mine: undefined, isTheirsChanged: false }

/** Publishes the new counts to the devices of both people. Call it after the commit. */
function announceDecision(platform: Platform, viewerId: string, targetId: string, outcome: Outcome): void {
  if (outcome.mine === 'matched') publishCount(platform, viewerId)
  if (outcome.mine === 'answered') publishAnswered(platform, viewerId, targetId)
  if (outcome.isTheirsChanged) publishCount(platform, targetId)
}

async function keep(
  tx: Tx,
  viewerId: string,
  targetId: string,
  input: Deciding,
  { viewer, fits, onOpened }: { viewer: Searcher; fits: boolean; onOpened: OnOpened },
): Promise<Outcome & { repeated: boolean; matched: boolean }> {
  await (input.decision === 'like' ? lockLike : lockPair)(tx.db, viewerId, targetId)
  const pair = await findPair(tx.db, viewerId, targetId)
  if (!pair.there || pair.apart) throw notFound()
  if (pair.matched) {
    if (input.decision === 'like') return { ...nothingChanged, repeated: true, matched: true }
    throw conflict('You like each other: end the match first.')
  }
  const isNewLike = input.decision === 'like' && pair.mine !== 'like'
  if (input.decision === 'like' && !fits)
    throw conflict(viewer.isPaused ? 'Your profile is paused.' : "Your filters and theirs don't match.")
  if (isNewLike) await requireLikesLeft(tx, viewer)
  const liking = input.decision === 'like' ? input : undefined
  const item = await itemOf(tx, targetId, liking?.item)
  const hold = liking ? await holdOf(tx, viewer, targetId, pair) : notHeld
  const { held } = hold
  const isHeardNow = liking !== undefined && pair.my_held && !held
  if (pair.mine === 'like' && !isHeardNow) {
    // Repeating the same like neither renews it nor notifies anyone again.
    if (liking && isSame(pair, item, liking.comment)) return { ...nothingChanged, repeated: true, matched: false }
    await spendChange(tx, viewerId, targetId)
  }
  if (liking?.comment && pair.theirs !== 'like' && signalsIn(liking.comment).includes('link'))
    await tx.limits.spend(likedLinks, viewerId)
  const wasListed = pair.mine === 'like' && (await isListed(tx, viewerId, targetId))
  const comment = liking?.comment
  const put = { actorId: viewerId, targetId, decision: input.decision, item, comment: comment ?? null, ...hold }
  await putDecision(tx.db, { ...put, now: tx.clock.now() })
  await noteForRanking(tx, { viewerId, targetId, held }, pair, input.decision)
  const matched = liking !== undefined && pair.theirs === 'like' && (pair.unseen || !held)
  if (matched) await answerLike(tx, viewerId, targetId, pair, { comment, held, onOpened })
  const isNews = (isNewLike || isHeardNow) && !held && !matched && (await tellOfLike(tx, viewerId, targetId, pair))
  if (pair.mine === 'like' && !liking) await withdrawLike(tx, viewerId, targetId, wasListed)
  const mine = matched ? 'matched' : pair.theirs === 'like' ? 'answered' : undefined
  return { repeated: pair.mine === input.decision, matched, mine, isTheirsChanged: isNews || wasListed }
}

/**
 * Stores the viewer's decision about a person. Idempotent, even with concurrent calls. Two likes make exactly one
 * match, whichever comes first. Throws not found for people the viewer can't see, `conflict` if the two don't fit or
 * are matched, `daily_limit_reached`, and `validation_failed` for the viewer themselves and for items that the profile
 * doesn't have.
 */
export async function decide(
  platform: Platform,
  viewerId: string,
  targetId: string,
  input: Deciding,
  hooks: DecisionHooks,
): Promise<Decided> {
  if (targetId === viewerId) throw new AppError('validation_failed', "You can't decide about yourself.")
  if (!isUuid(targetId)) throw notFound()
  const viewer = await getSearcher(platform, viewerId)
  const fits = input.decision !== 'like' || (await fitsWith(platform, viewer, targetId))
  const { repeated, matched, ...outcome } = await transaction(platform, (tx) =>
    keep(tx, viewerId, targetId, input, { viewer, fits, onOpened: hooks.onOpened }),
  )
  announceDecision(platform, viewerId, targetId, outcome)
  if (!repeated && input.decision !== 'later') hooks.onDecided(viewerId, targetId, input.decision === 'like')
  const match = matched ? await matchWith(platform, viewerId, targetId) : null
  return { decision: input.decision, match, ...(await deckCounts(platform, viewer)) }
}

/**
 * Retracts the viewer's decision about a person. If that person is gone, the answer is the same whatever the reason,
 * and even if there was no decision. Throws not found if there is no decision about a person who is still there,
 * `conflict` for a match, and `rate_limited`.
 */
export async function takeBack(platform: Platform, viewerId: string, targetId: string): Promise<Decision | undefined> {
  if (!isUuid(targetId)) throw notFound()
  const { decision, ...outcome } = await transaction(platform, async (tx) => {
    await lockPair(tx.db, viewerId, targetId)
    const pair = await findPair(tx.db, viewerId, targetId)
    // A match that the viewer wasn't told of mustn't stop the retraction: it is ended for the other person.
    if (pair.their_held) await endUnheardMatch(tx, viewerId, targetId)
    const isThere = pair.there && !pair.apart
    if (pair.matched && !pair.their_held && isThere) throw conflict('You like each other: end the match first.')
    const isOver = pair.unmatched || (pair.matched && !pair.their_held)
    const wasListed = pair.mine === 'like' && !pair.apart && (await isListed(tx, viewerId, targetId))
    const decision = isOver ? undefined : await deleteDecision(tx.db, viewerId, targetId)
    if (!decision && isThere) throw notFound()
    if (!decision) return { ...nothingChanged, decision }
    await noteForRanking(tx, { viewerId, targetId, held: false }, pair, null)
    if (decision === 'like') {
      await spendChange(tx, viewerId, targetId)
      await withdrawLike(tx, viewerId, targetId, wasListed)
    }
    tx.afterCommit((outside) => forgetDecisionsInIndex(outside, viewerId))
    return { decision, mine: pair.theirs === 'like' ? 'answered' : undefined, isTheirsChanged: wasListed } as const
  })
  announceDecision(platform, viewerId, targetId, outcome)
  return decision
}

interface Undone extends DeckCounts {
  userId: string
  decision: Decision
  card: Profile | null
}

/**
 * Undoes the viewer's latest decision of the last 10 minutes. Throws not found if there is none, and `conflict` if it
 * isn't about the person named in the request.
 */
export async function undo(platform: Platform, viewerId: string, named?: string): Promise<Undone> {
  const viewer = await getSearcher(platform, viewerId)
  const { undoNext: userId } = await deckCounts(platform, viewer)
  if (!userId) throw notFound()
  if (named !== undefined && named !== userId) throw conflict('This is not your latest decision.')
  const decision = await takeBack(platform, viewerId, userId)
  if (!decision) throw notFound()
  const [card = null] = await profilesOf(platform, viewer, [userId])
  return { userId, decision, card, ...(await deckCounts(platform, viewer)) }
}
