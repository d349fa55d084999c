import { areaUnderCurve, logLoss, perViewerAuc, precisionAtOne } from '../../../server/src/features/matching/metrics.ts'
import { drawBelow, seededRandom } from '../../../server/src/features/matching/random.ts'
import type { Pair } from './evenings.ts'
import { viewersOf } from './viewers.ts'

/** A pair that was foretold by each model: `scores` order, `probabilities` are calibrated on the training evenings. */
export interface Foretelling {
  pair: Pair
  mask: number
  scores: Record<string, number>
  probabilities: Record<string, number>
}

export interface Measured {
  auc: number
  viewerAuc: number
  precision: number
  logLoss: number
}

type Interval = readonly [low: number, high: number]

export interface Standing {
  model: string
  measured: Measured
  /** 95 % intervals by resampling whole evenings. */
  intervals: Record<'auc' | 'viewerAuc' | 'precision', Interval>
  gain: { auc: number; interval: Interval }
}

/** One evening under one model, ready to be drawn again and again. */
interface Evening {
  labels: number[]
  scores: number[]
  /** Of each viewer who has both labels. */
  areas: number[]
  hits: number[]
}

function eveningsOf(foretellings: readonly Foretelling[], waves: readonly number[], model: string): Evening[] {
  return waves.map((wave) => {
    const own = foretellings.filter(({ pair }) => pair.wave === wave)
    const scores = own.map((one) => one.scores[model] ?? 0)
    const viewers = viewersOf(own, scores)
    const areas = viewers.map((viewer) => areaUnderCurve(viewer.labels, viewer.scores))
    const hits = viewers.map((viewer) => precisionAtOne([viewer])).filter((hit) => hit >= 0)
    return { labels: own.map(({ pair }) => pair.match), scores, areas: areas.filter((area) => area >= 0), hits }
  })
}

const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length

function measureDraw(evenings: readonly Evening[]) {
  const auc = areaUnderCurve(
    evenings.flatMap(({ labels }) => labels),
    evenings.flatMap(({ scores }) => scores),
  )
  const [areas, hits] = [evenings.flatMap((evening) => evening.areas), evenings.flatMap((evening) => evening.hits)]
  return { auc, viewerAuc: mean(areas), precision: mean(hits) }
}

function middle(values: readonly number[]): Interval {
  const sorted = [...values].sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return [at(0.025), at(0.975)]
}

function measure(foretellings: readonly Foretelling[], model: string): Measured {
  const labels = foretellings.map(({ pair }) => pair.match)
  const scores = foretellings.map((one) => one.scores[model] ?? 0)
  const viewers = viewersOf(foretellings, scores)
  return {
    auc: areaUnderCurve(labels, scores),
    viewerAuc: perViewerAuc(viewers),
    precision: precisionAtOne(viewers),
    logLoss: logLoss(
      labels,
      foretellings.map((one) => one.probabilities[model] ?? 0),
    ),
  }
}

/** Measures every model, and how sure that is: `draws` samples of whole evenings with replacement (Efron, 1979). */
export function evaluate(
  foretellings: readonly Foretelling[],
  waves: readonly number[],
  reference: string,
  draws: number,
): Standing[] {
  const models = Object.keys(foretellings[0]?.scores ?? {})
  const random = seededRandom(7)
  const samples = Array.from({ length: draws }, () => waves.map(() => drawBelow(random, waves.length)))
  const drawn = new Map(
    models.map((model) => {
      const evenings = eveningsOf(foretellings, waves, model)
      return [model, samples.map((places) => measureDraw(places.map((place) => evenings[place] as Evening)))]
    }),
  )
  const base = measure(foretellings, reference)
  return models.map((model) => {
    const own = drawn.get(model) ?? []
    const gains = own.map(({ auc }, place) => auc - (drawn.get(reference)?.[place]?.auc ?? Number.NaN))
    const measured = measure(foretellings, model)
    const interval = (key: 'auc' | 'viewerAuc' | 'precision') => middle(own.map((one) => one[key]))
    return {
      model,
      measured,
      intervals: { auc: interval('auc'), viewerAuc: interval('viewerAuc'), precision: interval('precision') },
      gain: { auc: measured.auc - base.auc, interval: middle(gains) },
    }
  })
}
