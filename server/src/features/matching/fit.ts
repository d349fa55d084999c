import { type Decisions, type Effects, type EffectsPrior, fitEffects } from './effects.ts'
import { fitRidge } from './ridge.ts'

/** Decisions with what was known of each: `rows` as for `fitRidge`, the first column the intercept. */
export interface Observations extends Decisions {
  rows: Float64Array
  columns: number
}

export interface Fit {
  /** One per column; the first is the intercept. */
  weights: Float64Array
  effects: Effects
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
 * Learns the weights of the features and the effects of the people from the same decisions, in turns, each with the
 * other as its offset: a logistic model with crossed random effects, at its most likely values. Without the effects
 * the weights would explain by features what is only a few busy people. `penalties` holds one per column.
 */
export function fitDecisions(
  { rows, columns, ...decisions }: Observations,
  penalties: ArrayLike<number>,
  prior: Pick<EffectsPrior, 'says' | 'receives' | 'covariance'>,
  turns = 4,
): Fit {
  const { actors, targets, labels, offsets: given } = decisions
  const centred = { ...prior, intercept: 0, interceptVariance: 1e-6 }
  const effectsOf = (weights: Float64Array) =>
    fitEffects({ ...decisions, offsets: plus(logits(rows, weights), given) }, centred)
  let weights = fitRidge({ rows, columns, labels, ...(given && { offsets: given }) }, penalties)
  let effects = effectsOf(weights)
  for (let turn = 0; turn < turns; turn++) {
    const people = Float64Array.from(actors, (actor, place) => {
      return effects.says[actor]! + effects.receives[targets[place]!]!
    })
    weights = fitRidge({ rows, columns, labels, offsets: plus(people, given) }, penalties, 25, weights)
    effects = effectsOf(weights)
  }
  return { weights, effects }
}
