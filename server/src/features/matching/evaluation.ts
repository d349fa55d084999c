import { drawBelow, type Random } from '../../platform/random.ts'
import { matchingConstants as constants } from './constants.ts'

/** Something measured on cards whose place was drawn, one value a decision. */
export interface Drawn {
  viewers: ArrayLike<number>
  values: ArrayLike<number>
  /** One over the probability with which the log says the card was drawn. */
  weights: ArrayLike<number>
}

/** A mean with the middle 90 % of what other viewers would have given. */
export interface Interval {
  mean: number
  low: number
  high: number
  viewers: number
  decisions: number
}

const resamples = 1_000

/**
 * As many decisions of equal weights tell as much (Kish, 1965): few when some of those drawn were far less likely than
 * others.
 */
export function effectiveSize(weights: ArrayLike<number>): number {
  let sum = 0
  let squares = 0
  for (let place = 0; place < weights.length; place++) {
    sum += weights[place]!
    squares += weights[place]! ** 2
  }
  return squares > 0 ? sum ** 2 / squares : 0
}

/**
 * The mean over all who could have been drawn, from those who were: each counts for as many as their probability says,
 * and the sum of these weights is what it is divided by (self-normalised inverse propensity scoring, SNIPS; Swaminathan
 * and Joachims, 2015). The interval draws viewers anew, with all their decisions (cluster bootstrap): decisions of one
 * viewer are alike. Undefined where too few viewers or decisions would make it a guess. No values: undefined.
 */
export function measureDrawn({ viewers, values, weights }: Drawn, random: Random): Interval | undefined {
  const sums = new Map<number, [number, number]>()
  for (let place = 0; place < values.length; place++) {
    const [sum, weight] = sums.get(viewers[place]!) ?? [0, 0]
    sums.set(viewers[place]!, [sum + weights[place]! * values[place]!, weight + weights[place]!])
  }
  const clusters = [...sums.values()]
  if (clusters.length < constants.explorersLeast || effectiveSize(weights) < constants.validationLeast) return undefined
  const meanOf = (some: readonly [number, number][]) =>
    some.reduce((sum, [value]) => sum + value, 0) / some.reduce((sum, [, weight]) => sum + weight, 0)
  const means = Float64Array.from({ length: resamples }, () =>
    meanOf(clusters.map(() => clusters[drawBelow(random, clusters.length)]!)),
  ).sort()
  return {
    mean: meanOf(clusters),
    low: means[resamples * 0.05]!,
    high: means[resamples * 0.95]!,
    viewers: clusters.length,
    decisions: values.length,
  }
}
