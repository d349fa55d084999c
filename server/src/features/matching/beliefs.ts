import { interestIds } from '@duet/contract/catalogue.ts'
import { matchingConstants as constants } from './constants.ts'
import type { Decisions, Effects } from './effects.ts'
import { sigmoid, solve } from './ridge.ts'

/** Interests as two bit masks of 30 each, in catalogue order. */
export type InterestMasks = readonly [number, number]

export interface Belief {
  /** How much each interest shifts the mean, in logits, in catalogue order. */
  interests: Float64Array
  variance: number
}

export interface Beliefs {
  says: Belief
  receives: Belief
}

const count = interestIds.length
const inMask = 30

export const unlearnedBeliefs: Beliefs = {
  says: { interests: new Float64Array(count), variance: constants.saysVariance },
  receives: { interests: new Float64Array(count), variance: constants.receivesVariance },
}

/** The prior mean for people with these interests, in logits, clipped to `expectedMost`. */
export function expectedOf({ interests }: Belief, masks: InterestMasks): number {
  let sum = 0
  for (let half = 0; half < 2; half++)
    for (let mask = masks[half]!; mask !== 0; mask &= mask - 1)
      sum += interests[half * inMask + 31 - Math.clz32(mask & -mask)] ?? 0
  return Math.max(-constants.expectedMost, Math.min(constants.expectedMost, sum))
}

/**
 * A matrix with a row per person and a column per interest: 1 or 0, minus the share of people who have the interest.
 */
export interface InterestRows {
  rows: Float64Array
  shares: Float64Array
}

/** `masks` has two masks per person, one person after another. */
export function interestRows(masks: Int32Array): InterestRows {
  const people = masks.length / 2
  const rows = new Float64Array(people * count)
  const shares = new Float64Array(count)
  for (let person = 0; person < people; person++)
    for (let interest = 0; interest < count; interest++) {
      const has = (masks[person * 2 + Math.floor(interest / inMask)]! >>> (interest % inMask)) & 1
      rows[person * count + interest] = has
      shares[interest]! += has / people
    }
  return { rows: rows.map((has, place) => has - shares[place % count]!), shares }
}

/** Each person's prior mean, relative to the average over everyone. */
export const centredMeans = ({ interests }: Belief, { rows }: InterestRows): Float64Array =>
  Float64Array.from({ length: rows.length / count }, (_, person) =>
    interests.reduce((sum, weight, interest) => sum + weight * rows[person * count + interest]!, 0),
  )

/** How much the decisions reveal about each person's effects: the sums of p(1-p). */
function curvaturesOf({ people, actors, targets, offsets }: Decisions, { intercept, says, receives }: Effects) {
  const curvatures = { says: new Float64Array(people), receives: new Float64Array(people) }
  for (let place = 0; place < actors.length; place++) {
    const actor = actors[place]!
    const target = targets[place]!
    const p = sigmoid(intercept + (offsets?.[place] ?? 0) + says[actor]! + receives[target]!)
    curvatures.says[actor]! += p * (1 - p)
    curvatures.receives[target]! += p * (1 - p)
  }
  return curvatures
}

function improve(belief: Belief, effects: Float64Array, curvatures: Float64Array, design: InterestRows): Belief {
  const { rows, shares } = design
  const { variance } = belief
  const means = centredMeans(belief, design)
  const matrix = new Float64Array(count * count)
  const vector = new Float64Array(count)
  let squares = 0
  let known = 0
  for (let person = 0; person < effects.length; person++) {
    const curvature = curvatures[person]!
    if (curvature === 0) continue
    // The share of what we know about this person that comes from their decisions.
    const reliability = (curvature * variance) / (1 + curvature * variance)
    squares += effects[person]! ** 2 + variance * (1 - reliability)
    known++
    const value = reliability * means[person]! + effects[person]!
    for (let row = 0; row < count; row++) {
      const own = rows[person * count + row]!
      vector[row]! += own * value
      for (let column = 0; column <= row; column++)
        matrix[row * count + column]! += reliability * own * rows[person * count + column]!
    }
  }
  if (known === 0) return belief
  for (let interest = 0; interest < count; interest++) {
    const spread = shares[interest]! * (1 - shares[interest]!)
    matrix[interest * count + interest]! += variance * constants.trainingPenalty * spread + 1e-9
  }
  return { interests: solve(matrix, vector), variance: squares / known }
}

/**
 * One expectation-maximisation step of fitting the priors (empirical Bayes; Dempster, Laird and Rubin, 1977). The
 * interest weights come from a ridge regression of the effects, with each person weighted by reliability; the variance
 * is that of the residuals. `effects` are relative to the means, which are included in the offsets of `decisions`.
 */
export function improveBeliefs(
  beliefs: Beliefs,
  decisions: Decisions,
  effects: Effects,
  design: InterestRows,
): Beliefs {
  const curvatures = curvaturesOf(decisions, effects)
  return {
    says: improve(beliefs.says, effects.says, curvatures.says, design),
    receives: improve(beliefs.receives, effects.receives, curvatures.receives, design),
  }
}

export const priorOf = ({ says, receives }: Beliefs) => ({
  says: says.variance,
  receives: receives.variance,
  covariance: 0,
})

export interface NamedBeliefs {
  says: { interests: Record<string, number>; variance: number }
  receives: { interests: Record<string, number>; variance: number }
}

export function namedBeliefs({ says, receives }: Beliefs): NamedBeliefs {
  const named = ({ interests, variance }: Belief) => ({
    interests: Object.fromEntries(interestIds.map((id, place) => [id, interests[place]!])),
    variance,
  })
  return { says: named(says), receives: named(receives) }
}

/** Reads stored priors. Missing interests get weight 0; models from before priors existed get the untrained ones. */
export function readBeliefs(named: NamedBeliefs | undefined): Beliefs {
  if (!named) return unlearnedBeliefs
  const read = ({ interests, variance }: NamedBeliefs['says']): Belief => ({
    interests: Float64Array.from(interestIds, (id) => interests[id] ?? 0),
    variance,
  })
  return { says: read(named.says), receives: read(named.receives) }
}
