import { areaUnderCurve, logLoss, precisionAtOne } from '../../../server/src/features/matching/metrics.ts'
import { drawBelow, seededRandom } from '../../../server/src/platform/random.ts'
import type { Pair } from './evenings.ts'
import { viewersOf } from './viewers.ts'

/**
 * A pair with each model's prediction: `scores` for ranking, and `probabilities` calibrated on the training evenings.
 */
export interface Foretelling {
  pair: Pair
  mask: number
  scores: Record<string, number>
  probabilities: Record<string, number>
}

export interface Measured {
  /** Pooled over all pairs of all masks. */
  auc: number
  viewerAuc: number
  /** The share of viewers whose top-ranked person is a match. */
  precision: number
}

export type Interval = readonly [low: number, high: number]

export interface Standing {
  model: string
  measured: Measured
  logLoss: number
  /** 95 % intervals from resampling whole evenings. */
  intervals: Record<keyof Measured, Interval>
}

export interface Difference {
  value: number
  /** A 95 % interval from the same resampled evenings for both models. */
  interval: Interval
}

/** One model's results sorted by score, so that any sample of evenings can be measured quickly. */
interface Ordered {
  /** The labels and evenings of all pairs, lowest score first. */
  labels: Uint8Array
  evenings: Uint8Array
  ends: Uint32Array
  /** For each evening, the sum over its viewers and their number. */
  areas: Sums
  hits: Sums
}

interface Sums {
  sum: Float64Array
  count: Float64Array
}

function sumsOf(waves: readonly number[], values: (wave: number) => number[]): Sums {
  const known = waves.map((wave) => values(wave).filter((value) => value >= 0))
  return {
    sum: Float64Array.from(known, (list) => list.reduce((sum, value) => sum + value, 0)),
    count: Float64Array.from(known, (list) => list.length),
  }
}

function orderedBy(foretellings: readonly Foretelling[], waves: readonly number[], model: string): Ordered {
  const scores = Float64Array.from(foretellings, (one) => one.scores[model] ?? 0)
  const order = Uint32Array.from(foretellings.keys()).sort((one, other) => scores[one]! - scores[other]!)
  const placeOf = new Map(waves.map((wave, place) => [wave, place]))
  const ends = [...order.keys()].filter((at) => scores[order[at]!] !== scores[order[at + 1] ?? -1]).map((at) => at + 1)
  const viewers = new Map(
    waves.map((wave) => {
      const places = [...foretellings.keys()].filter((place) => foretellings[place]!.pair.wave === wave)
      const own = places.map((place) => foretellings[place]!)
      return [
        wave,
        viewersOf(
          own,
          places.map((place) => scores[place]!),
        ),
      ] as const
    }),
  )
  return {
    labels: Uint8Array.from(order, (place) => foretellings[place]!.pair.match),
    evenings: Uint8Array.from(order, (place) => placeOf.get(foretellings[place]!.pair.wave)!),
    ends: Uint32Array.from(ends),
    areas: sumsOf(waves, (wave) => viewers.get(wave)!.map(({ labels, scores: own }) => areaUnderCurve(labels, own))),
    hits: sumsOf(waves, (wave) => viewers.get(wave)!.map((viewer) => precisionAtOne([viewer]))),
  }
}

/** The area under the curve if each evening counts `weights` times. */
function weightedArea({ labels, evenings, ends }: Ordered, weights: Float64Array): number {
  let [below, yes, area, place] = [0, 0, 0, 0]
  for (const end of ends) {
    let [positive, negative] = [0, 0]
    for (; place < end; place++) {
      if (labels[place]) positive += weights[evenings[place]!]!
      else negative += weights[evenings[place]!]!
    }
    area += positive * (below + negative / 2)
    below += negative
    yes += positive
  }
  return area / (yes * below)
}

function weightedMean({ sum, count }: Sums, weights: Float64Array): number {
  let [total, all] = [0, 0]
  for (const [evening, weight] of weights.entries()) {
    total += weight * sum[evening]!
    all += weight * count[evening]!
  }
  return total / all
}

const measure = (ordered: Ordered, weights: Float64Array): Measured => ({
  auc: weightedArea(ordered, weights),
  viewerAuc: weightedMean(ordered.areas, weights),
  precision: weightedMean(ordered.hits, weights),
})

function middle(values: readonly number[]): Interval {
  const sorted = [...values].sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return [at(0.025), at(0.975)]
}

/**
 * Measures every model with bootstrap intervals, from `draws` resamples of whole evenings that all models share (Efron,
 * 1979). `difference` compares two models on each resample.
 */
export function evaluate(foretellings: readonly Foretelling[], waves: readonly number[], draws: number) {
  const random = seededRandom(7)
  const samples = Array.from({ length: draws }, () => {
    const weights = new Float64Array(waves.length)
    for (const _ of waves) weights[drawBelow(random, waves.length)]!++
    return weights
  })
  const labels = foretellings.map(({ pair }) => pair.match)
  const evaluated = new Map(
    Object.keys(foretellings[0]?.scores ?? {}).map((model) => {
      const ordered = orderedBy(foretellings, waves, model)
      const measured = measure(ordered, new Float64Array(waves.length).fill(1))
      const drawn = samples.map((weights) => measure(ordered, weights))
      const interval = (key: keyof Measured) => middle(drawn.map((one) => one[key]))
      const probabilities = foretellings.map((one) => one.probabilities[model] ?? 0)
      const intervals = {
        auc: interval('auc'),
        viewerAuc: interval('viewerAuc'),
        precision: interval('precision'),
      }
      return [model, { model, measured, drawn, intervals, logLoss: logLoss(labels, probabilities) }] as const
    }),
  )
  const of = (model: string) => {
    const known = evaluated.get(model)
    if (!known) throw new TypeError(`nothing was foretold by ${model}`)
    return known
  }
  return {
    standings: [...evaluated.values()] as readonly Standing[],
    standing: (model: string): Standing => of(model),
    difference: (model: string, reference: string, key: keyof Measured): Difference => ({
      value: of(model).measured[key] - of(reference).measured[key],
      interval: middle(of(model).drawn.map((one, place) => one[key] - of(reference).drawn[place]![key])),
    }),
  }
}

/**
 * Returns the mean predicted probability and the observed share in each decile, lowest first, and the largest gap
 * between them.
 */
export function calibration(foretellings: readonly Foretelling[], model: string) {
  const byScore = [...foretellings].sort((one, other) => one.scores[model]! - other.scores[model]!)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const deciles = Array.from({ length: 10 }, (_, place) => {
    const part = byScore.slice(
      Math.floor((place * byScore.length) / 10),
      Math.floor(((place + 1) * byScore.length) / 10),
    )
    return { foretold: mean(part.map((one) => one.scores[model]!)), observed: mean(part.map(({ pair }) => pair.match)) }
  })
  return { deciles, gap: Math.max(...deciles.map(({ foretold, observed }) => Math.abs(foretold - observed))) }
}
