import { by } from '@duet/contract/order.ts'

const smallest = 1e-4

/** Keeps a probability away from 0 and 1, so that a confident mistake has no infinite loss. */
export const clipped = (probability: number): number => Math.min(1 - smallest, Math.max(smallest, probability))

/**
 * The probability that a like scores above a pass, with ties counting half: the area under the ROC curve, computed from
 * ranks (Mann and Whitney, 1947). NaN if all labels are the same.
 */
export function areaUnderCurve(labels: ArrayLike<number>, scores: ArrayLike<number>): number {
  const order = Uint32Array.from({ length: labels.length }, (_, place) => place)
  order.sort(by((place) => scores[place] ?? 0))
  let rankSum = 0
  let positives = 0
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end < order.length && scores[order[end] ?? 0] === scores[order[start] ?? 0]) end++
    const meanRank = (start + end + 1) / 2
    for (let place = start; place < end; place++) {
      if (!labels[order[place] ?? 0]) continue
      rankSum += meanRank
      positives++
    }
    start = end
  }
  const negatives = labels.length - positives
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives)
}

/** In nats. */
export function logLosses(labels: ArrayLike<number>, probabilities: ArrayLike<number>): Float64Array {
  return Float64Array.from(labels, (label, place) => {
    const probability = clipped(probabilities[place] ?? 0)
    return -Math.log(label ? probability : 1 - probability)
  })
}

export function logLoss(labels: ArrayLike<number>, probabilities: ArrayLike<number>): number {
  return logLosses(labels, probabilities).reduce((sum, loss) => sum + loss, 0) / labels.length
}

export interface Shown {
  labels: number[]
  scores: number[]
}

/**
 * The mean area under the curve over viewers who both liked and passed. Computed per viewer, so that predicting who is
 * choosy doesn't help.
 */
export function perViewerAuc(viewers: Iterable<Shown>): number {
  let sum = 0
  let count = 0
  for (const { labels, scores } of viewers) {
    const area = areaUnderCurve(labels, scores)
    if (Number.isNaN(area)) continue
    sum += area
    count++
  }
  return sum / count
}

/** The share of viewers who liked their best-scored person, among viewers who were shown at least `least` people. */
export function precisionAtOne(viewers: Iterable<Shown>, least = 5): number {
  let hits = 0
  let count = 0
  for (const { labels, scores } of viewers) {
    if (labels.length < least) continue
    let best = 0
    for (let place = 1; place < scores.length; place++) if ((scores[place] ?? 0) > (scores[best] ?? 0)) best = place
    hits += labels[best] ?? 0
    count++
  }
  return hits / count
}

/**
 * How unevenly something is distributed (Gini, 1912): 0 if evenly or if there is nothing, near 1 if one person has
 * everything.
 */
export function gini(amounts: ArrayLike<number>): number {
  const sorted = Float64Array.from(amounts).sort()
  let sum = 0
  let weighted = 0
  for (let place = 0; place < sorted.length; place++) {
    sum += sorted[place] ?? 0
    weighted += (place + 1) * (sorted[place] ?? 0)
  }
  return sum > 0 ? (2 * weighted) / (sorted.length * sum) - (sorted.length + 1) / sorted.length : 0
}
