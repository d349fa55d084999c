import { by } from '@duet/contract/order.ts'
import { expectedOf } from './beliefs.ts'
import { matchProbability } from './combine.ts'
import { matchingConstants as constants } from './constants.ts'
import type { RankingModel } from './model.ts'
import { fillRow, productFeatures, unmet, unmetPlace } from './pair.ts'
import { sigmoid } from './ridge.ts'
import type { Candidate, Traits } from './traits.ts'

export interface Surroundings {
  /** ln(1 / share of people) for each interest, in catalogue order. */
  rarity: ArrayLike<number>
  /** The average number of pending likes per person. Each like's weight halves every 7 days. */
  meanPending: number
}

export interface Scores {
  match: Float64Array
  /** Larger is better. */
  rank: Float64Array
}

export const clipLikeability = (effect: number): number =>
  Math.max(-constants.receivesLimit, Math.min(constants.receivesLimit, effect))

/**
 * The sort key of a deck: the logarithm of the probability of an answered match, minus a penalty for many pending likes
 * (zero if they like the viewer) and a penalty for each day of absence. Each penalty is bounded, so that neither many
 * likes nor a single one can hide a person.
 */
export function rankOf(
  match: number,
  {
    pending,
    daysInactive,
    likesViewer,
    isBusy,
  }: Pick<Candidate, 'pending' | 'daysInactive' | 'likesViewer' | 'isBusy'>,
  meanPending: number,
  congestionWeight: number = constants.congestionWeight,
): number {
  const waiting = Math.max(0, pending) / Math.max(meanPending, constants.usualPendingLeast)
  const congestion = likesViewer ? 0 : Math.min(congestionWeight * Math.log1p(waiting), constants.congestionMost)
  const absence = Math.min(Math.max(0, daysInactive), constants.inactivityDaysMost)
  const answer = isBusy ? constants.answeredBeyond : 1
  return Math.log(match * answer + 1e-12) - congestion - constants.inactivityPerDay * absence
}

/**
 * The probability that they like the viewer, as far as it is known: 1 if they do, small if they passed, undefined if
 * they haven't decided.
 */
export function knownAnswer({ likesViewer, passedViewer }: Pick<Candidate, 'likesViewer' | 'passedViewer'>) {
  if (likesViewer) return 1
  return passedViewer ? constants.secondThoughts : undefined
}

/**
 * Scores every candidate for one viewer in both directions: p(i→j) = sigmoid(intercept + a_i + b_j + w·x_ij), where a
 * and b include the prior means and b is clipped. If a candidate has decided about the viewer, the decision replaces
 * the reverse prediction. Answers to questions count if both have a sheet.
 */
export function scoreAll(
  model: RankingModel,
  viewer: Traits,
  candidates: readonly Candidate[],
  { rarity, meanPending }: Surroundings,
): Scores {
  const { weights, intercept, combine } = model
  const { says, receives } = model.beliefs
  const scores = { match: new Float64Array(candidates.length), rank: new Float64Array(candidates.length) }
  const row = new Float64Array(productFeatures.length)
  const own = intercept + clipLikeability(expectedOf(receives, viewer.interests) + viewer.b)
  const viewerSays = intercept + expectedOf(says, viewer.interests) + viewer.a
  const ownUnmet = weights[unmetPlace]!
  for (let place = 0; place < candidates.length; place++) {
    const other = candidates[place]!
    fillRow(row, viewer, other, other.distanceKm, rarity)
    let shared = 0
    for (let column = 0; column < unmetPlace; column++) shared += weights[column]! * row[column]!
    const liked = clipLikeability(expectedOf(receives, other.interests) + other.b)
    const there = sigmoid(viewerSays + liked + shared + ownUnmet * row[unmetPlace]!)
    const back =
      knownAnswer(other) ??
      sigmoid(own + expectedOf(says, other.interests) + other.a + shared + ownUnmet * unmet(other, viewer))
    const match = matchProbability(combine, there, back)
    scores.match[place] = match
    scores.rank[place] = rankOf(match, other, meanPending)
  }
  return scores
}

/** Ties are ordered by id. */
export function bestOf(candidates: readonly Candidate[], { rank }: Scores, count: number): Candidate[] {
  const order = Uint32Array.from({ length: candidates.length }, (_, place) => place)
  order.sort(
    by(
      (place) => -rank[place]!,
      (place) => candidates[place]!.id,
    ),
  )
  return Array.from(order.subarray(0, count), (place) => candidates[place]!)
}

export interface Refined {
  candidate: Candidate
  match: number
  rank: number
}

/** Rescores the best candidates of the first pass with their answers (`sheets`, by id). Returns them best first. */
export function refine(
  model: RankingModel,
  viewer: Traits,
  best: readonly Candidate[],
  surroundings: Surroundings,
  sheets: ReadonlyMap<string, Uint8Array>,
): Refined[] {
  const known = best.map((candidate) => ({ ...candidate, sheet: sheets.get(candidate.id) }))
  const { match, rank } = scoreAll(
    model,
    { ...viewer, sheet: sheets.get(viewer.id) ?? viewer.sheet },
    known,
    surroundings,
  )
  return known
    .map((candidate, place) => ({ candidate, match: match[place]!, rank: rank[place]! }))
    .sort(
      by(
        ({ rank }) => -rank,
        ({ candidate }) => candidate.id,
      ),
    )
}
