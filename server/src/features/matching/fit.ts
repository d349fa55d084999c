import { type Beliefs, centredMeans, type InterestRows, improveBeliefs, priorOf, unlearnedBeliefs } from './beliefs.ts'
import { type Decisions, type Effects, type EffectsPrior, fitEffects } from './effects.ts'
import { fitRidge } from './ridge.ts'

/** `rows` is as in `fitRidge`; the first column is the intercept. */
export interface Observations extends Decisions {
  rows: Float64Array
  columns: number
  /** People's interests. If given, the priors are learned from them. */
  interests?: InterestRows
}

export interface Fit {
  /** One per column; the first is the intercept. */
  weights: Float64Array
  /** Relative to each person's mean under `beliefs`. */
  effects: Effects
  beliefs: Beliefs
}

function logits(rows: Float64Array, weights: Float64Array): Float64Array {
  const columns = weights.length
  return Float64Array.from({ length: rows.length / columns }, (_, place) =>
    weights.reduce((sum, weight, column) => sum + weight * rows[place * columns + column]!, 0),
  )
}

const plus = (one: Float64Array, other: ArrayLike<number> | undefined) =>
  other ? one.map((value, place) => value + other[place]!) : one

/**
 * Learns feature weights, people's effects and priors in turn from the same decisions, each with the others as offsets:
 * a hierarchical logistic model with crossed random effects, at its maximum a posteriori. Without the effects, a few
 * very active people would distort the weights. `penalties` has one value per column.
 */
export function fitDecisions(
  { rows, columns, interests, ...decisions }: Observations,
  penalties: ArrayLike<number>,
  prior: Pick<EffectsPrior, 'says' | 'receives' | 'covariance'>,
  turns = 4,
): Fit {
  const { actors, targets, labels, offsets: given } = decisions
  let beliefs: Beliefs = {
    says: { ...unlearnedBeliefs.says, variance: prior.says },
    receives: { ...unlearnedBeliefs.receives, variance: prior.receives },
  }
  const sums = (says: Float64Array, receives: Float64Array) =>
    Float64Array.from(actors, (actor, place) => says[actor]! + receives[targets[place]!]!)
  const expected = () =>
    interests ? sums(centredMeans(beliefs.says, interests), centredMeans(beliefs.receives, interests)) : undefined
  const offsetsOf = (weights: Float64Array) => plus(plus(logits(rows, weights), given), expected())
  const effectsOf = (weights: Float64Array) => {
    const variances = { ...priorOf(beliefs), covariance: prior.covariance }
    const centred = { ...variances, intercept: 0, interceptVariance: 1e-6 }
    return fitEffects({ ...decisions, offsets: offsetsOf(weights) }, centred)
  }
  let weights = fitRidge({ rows, columns, labels, ...(given && { offsets: given }) }, penalties)
  let effects = effectsOf(weights)
  for (let turn = 0; turn < turns; turn++) {
    if (interests) beliefs = improveBeliefs(beliefs, { ...decisions, offsets: offsetsOf(weights) }, effects, interests)
    const people = plus(sums(effects.says, effects.receives), expected())
    weights = fitRidge({ rows, columns, labels, offsets: plus(people, given) }, penalties, 25, weights)
    effects = effectsOf(weights)
  }
  return { weights, effects, beliefs }
}
