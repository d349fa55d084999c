import { drawBelow, type Random } from '../../platform/random.ts'
import { matchingConstants as constants } from './constants.ts'

export interface Drawn {
  viewers: ArrayLike<number>
  values: ArrayLike<number>
  /** The inverse of the logged probability of drawing the card. */
  weights: ArrayLike<number>
}

/** A mean with its 90% bootstrap interval over viewers. */
export interface Interval {
  mean: number
  low: number
  high: number
  viewers: number
  decisions: number
}

const resamples = 1_000

/**
 * How many equally weighted decisions would be as informative (Kish, 1965). Small if a few decisions have most of the
 * weight.
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
 * Estimates the mean over everyone who could have been drawn. Each drawn person is weighted by the inverse of their
 * probability, and the sum is divided by the sum of weights (self-normalised inverse propensity scoring, SNIPS;
 * Swaminathan and Joachims, 2015). The interval resamples viewers with all their decisions (cluster bootstrap), because
 * decisions of one viewer are correlated. Undefined with too few viewers or decisions.
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
