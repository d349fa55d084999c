import { limits } from '@duet/contract/limits.ts'
import type { Decision } from '@duet/contract/profiles.ts'
import { after, minutes } from '../../platform/clock.ts'
import { eachPart } from '../../platform/jobs/each-one.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { expectedOf, type InterestMasks } from './beliefs.ts'
import { matchingConstants as constants } from './constants.ts'
import {
  clearLearned,
  findDueLessons,
  findInterests,
  findLessons,
  type Lesson,
  lockTallies,
  putLesson,
  putTallies,
  type Tally,
  takeLessons,
} from './learning.queries.ts'
import type { RankingModel } from './model.ts'
import { rankingOf } from './ranking.ts'
import { sigmoid } from './ridge.ts'

/** How many decisions one transaction learns from. It locks the rows of at most twice as many people. */
const batchSize = 500

export const emptyTally = (user_id: string): Tally => ({
  user_id,
  says_yes: 0,
  is_liked: 0,
  made_weight: 0,
  received_weight: 0,
  made: 0,
  received: 0,
})

const none: InterestMasks = [0, 0]

/**
 * Takes one Newton step per decision for the actor and for the target: a += (y - p) / (1/2 + sum of p(1-p)), b += (y -
 * p) / (1 + sum), with the sums over all decisions so far. Including the prior's precision, this is the one-pass
 * Gaussian approximation of the posterior (assumed density filtering; Opper, 1998). Steps of b are bounded, so that no
 * one person determines how another is ranked. Both effects are relative to the prior mean for a person's interests;
 * people missing in `interests` have none. Updates `tallies` in place, and skips people without a tally.
 */
export function learnFrom(
  lessons: readonly Lesson[],
  tallies: Map<string, Tally>,
  model: RankingModel,
  interests: ReadonlyMap<string, InterestMasks> = new Map(),
): void {
  const { says, receives } = model.beliefs
  const typical = model.intercept + model.typical
  for (const { actorId, targetId, yes, countsForActor, countsForTarget } of lessons) {
    const actor = tallies.get(actorId)
    const target = tallies.get(targetId)
    if (!actor || !target) continue
    const saysYes = expectedOf(says, interests.get(actorId) ?? none) + actor.says_yes
    const isLiked = expectedOf(receives, interests.get(targetId) ?? none) + target.is_liked
    const p = sigmoid(typical + saysYes + isLiked)
    const residual = (yes ? 1 : 0) - p
    const weight = p * (1 - p)
    if (countsForActor) {
      actor.made_weight += weight
      actor.made++
      actor.says_yes += residual / (1 / says.variance + actor.made_weight)
    }
    if (!countsForTarget) continue
    target.received_weight += weight
    target.received++
    const step = residual / (1 / receives.variance + target.received_weight)
    target.is_liked += Math.max(-constants.lessonMost, Math.min(constants.lessonMost, step))
  }
}

async function learnBatch(platform: Platform, due: Parameters<typeof takeLessons>[1], now: Date): Promise<void> {
  const { model } = await rankingOf(platform)
  const ids = [...new Set(due.flatMap(({ actor_id, target_id }) => [actor_id, target_id]))]
  await transaction(platform, async (tx) => {
    // Locked before the lessons, in the same order as in an erasure, to avoid deadlocks.
    const tallies = new Map((await lockTallies(tx.db, ids)).map((row) => [row.user_id, row]))
    // Read after the rows are locked, so that a reset that came first is visible.
    const lessons = await findLessons(tx.db, await takeLessons(tx.db, due, now))
    learnFrom(lessons, tallies, model, await findInterests(tx.db, ids))
    if (tallies.size > 0) await putTallies(tx.db, [...tallies.values()])
  })
}

/**
 * Learns how often people like others and are liked, from every decision that can no longer be undone. Safe to run at
 * any time, even in several processes.
 */
export async function learnWhatIsDue(platform: Platform): Promise<void> {
  const now = platform.clock.now()
  const message = 'a decision could not be learned from; it will be retried'
  const part = { size: batchSize, message }
  let found = batchSize
  let failed = 0
  while (found === batchSize && failed === 0) {
    const due = await findDueLessons(platform.db, now, batchSize)
    failed = await eachPart(platform, due, part, (some) => learnBatch(platform, some, now))
    found = due.length
  }
}

/** At `now`, decisions up to this time can no longer be undone, so they may be learned from. */
export const settledUntil = (now: Date): Date => after(now, -minutes(limits.undoMinutes))

interface Change {
  actorId: string
  targetId: string
  before: Decision | null
  decision: Decision | null
}

/**
 * Queues a pair for learning. Its first like or pass counts, as it stands once it can no longer be undone; later ones
 * don't. The caller must hold the pair's lock.
 */
export async function noteLesson(tx: Tx, { actorId, targetId, before, decision }: Change): Promise<void> {
  const isWord = (one: Decision | null) => one === 'like' || one === 'pass'
  if (before === decision || !(isWord(before) || isWord(decision))) return
  const dueAt = after(tx.clock.now(), minutes(limits.undoMinutes))
  await putLesson(tx.db, { actorId, targetId, first: !isWord(before), dueAt })
}

/** The person's likes and passes stay, but are never learned from again. */
export async function forgetLearned(platform: Platform, userId: string): Promise<void> {
  await transaction(platform, (tx) => clearLearned(tx.db, userId))
}
