import { sigmoid } from './ridge.ts'

/** `labels[k]` is 1 if `actors[k]` liked `targets[k]`, and 0 if they passed. People are given by index. */
export interface Decisions {
  people: number
  actors: Int32Array
  targets: Int32Array
  labels: ArrayLike<number>
  /** Added to each decision's logit, for everything besides the two people's effects. */
  offsets?: ArrayLike<number>
  /** How many decisions each one counts as, 1 by default. */
  counts?: ArrayLike<number>
}

export interface EffectsPrior {
  says: number
  receives: number
  /** Negative if popular people are choosier. */
  covariance: number
  interceptVariance: number
  intercept: number
}

export interface Effects {
  intercept: number
  /** a: how much likelier than average each person is to like others, in logits. */
  says: Float64Array
  /** b: how much likelier than average each person is to be liked, in logits. */
  receives: Float64Array
}

interface Side {
  own: Float64Array
  other: Float64Array
  people: Int32Array
  precision: number
  coupling: number
}

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
 * The most likely effects of all people under a Gaussian prior: logit P(i likes j) = intercept + offset + a_i + b_j, a
 * Rasch model with two effects per person (Rasch, 1960; as a social relations model, Kenny and La Voie, 1984). Takes
 * Newton steps for the intercept, all a and all b in turn. The effects of people with few decisions stay near 0.
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
