import { sigmoid } from './ridge.ts'

/** Decisions by index of person: `actors[k]` said yes (1) or no (0) to `targets[k]`. */
export interface Decisions {
  people: number
  actors: Int32Array
  targets: Int32Array
  labels: ArrayLike<number>
  /** Added to each decision's logit: what is known besides the two people. */
  offsets?: ArrayLike<number>
  /** How many decisions each one counts as, 1 by default. */
  counts?: ArrayLike<number>
}

/** The prior of a person's two effects: variances and covariance. */
export interface EffectsPrior {
  /** The variance of how often a person says yes. */
  says: number
  /** The variance of how often others say yes to a person. */
  receives: number
  /** Negative if sought-after people are choosier. */
  covariance: number
  /** The variance of the intercept around `intercept`. */
  interceptVariance: number
  intercept: number
}

export interface Effects {
  intercept: number
  /** a: how much likelier than others each person says yes, in logits. */
  says: Float64Array
  /** b: how much likelier than others each person is liked, in logits. */
  receives: Float64Array
}

interface Side {
  own: Float64Array
  other: Float64Array
  people: Int32Array
  precision: number
  coupling: number
}

/** One Newton step for all effects of one side, with the other side fixed. */
function improve(side: Side, residuals: Float64Array, curvatures: Float64Array): number {
  const { own, other, people, precision, coupling } = side
  const gradient = own.map((effect, person) => -precision * effect - coupling * other[person]!)
  const curvature = new Float64Array(own.length).fill(precision)
  for (let place = 0; place < people.length; place++) {
    gradient[people[place]!]! += residuals[place]!
    curvature[people[place]!]! += curvatures[place]!
  }
  let largest = 0
  for (let person = 0; person < own.length; person++) {
    const step = gradient[person]! / curvature[person]!
    own[person]! += step
    largest = Math.max(largest, Math.abs(step))
  }
  return largest
}

/** Residuals and curvatures of every decision under the current effects. */
function look(
  decisions: Decisions,
  { intercept, says, receives }: Effects,
  residuals: Float64Array,
  curves: Float64Array,
) {
  const { actors, targets, labels, offsets, counts } = decisions
  for (let place = 0; place < actors.length; place++) {
    const z = intercept + (offsets?.[place] ?? 0) + says[actors[place]!]! + receives[targets[place]!]!
    const probability = sigmoid(z)
    const count = counts?.[place] ?? 1
    residuals[place] = count * ((labels[place] ?? 0) - probability)
    curves[place] = count * probability * (1 - probability)
  }
}

function sidesOf({ actors, targets }: Decisions, { says, receives }: Effects, prior: EffectsPrior): [Side, Side] {
  const determinant = prior.says * prior.receives - prior.covariance ** 2
  const coupling = -prior.covariance / determinant
  return [
    { own: says, other: receives, people: actors, precision: prior.receives / determinant, coupling },
    { own: receives, other: says, people: targets, precision: prior.says / determinant, coupling },
  ]
}

function interceptStep(
  prior: EffectsPrior,
  intercept: number,
  residuals: Float64Array,
  curvatures: Float64Array,
): number {
  const precision = 1 / prior.interceptVariance
  const gradient = residuals.reduce((sum, one) => sum + one, -precision * (intercept - prior.intercept))
  return gradient / curvatures.reduce((sum, one) => sum + one, precision)
}

/**
 * The most likely effects of every person under a Gaussian prior: logit P(i says yes to j) = intercept + offset + a_i
 * + b_j, a Rasch model with two effects per person (Rasch, 1960; as a social relations model, Kenny and La Voie, 1984).
 * Newton steps for the intercept, all a and all b in turn; people with few decisions stay near 0.
 */
export function fitEffects(decisions: Decisions, prior: EffectsPrior, rounds = 40): Effects {
  const { people, actors } = decisions
  const effects: Effects = {
    intercept: prior.intercept,
    says: new Float64Array(people),
    receives: new Float64Array(people),
  }
  const sides = sidesOf(decisions, effects, prior)
  const residuals = new Float64Array(actors.length)
  const curvatures = new Float64Array(actors.length)
  for (let round = 0; round < rounds; round++) {
    look(decisions, effects, residuals, curvatures)
    const step = interceptStep(prior, effects.intercept, residuals, curvatures)
    effects.intercept += step
    let largest = Math.abs(step)
    for (const side of sides) {
      look(decisions, effects, residuals, curvatures)
      largest = Math.max(largest, improve(side, residuals, curvatures))
    }
    if (largest < 1e-4) break
  }
  return effects
}
