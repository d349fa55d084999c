import { matchingConstants as constants } from './constants.ts'
import { type Decisions, type Effects, fitEffects } from './effects.ts'
import { fitDecisions } from './fit.ts'
import { logLoss, perViewerAuc, type Shown } from './metrics.ts'
import { sigmoid } from './ridge.ts'
import { measureScale, toScale } from './scale.ts'

/** Decisions of shown people, as a worker takes them: plain lists, one value or row a decision. */
export interface Batch {
  people: number
  actors: Int32Array
  targets: Int32Array
  labels: Uint8Array
  /** Features of each decision as `fillRow` writes them. */
  rows: Float64Array
  columns: number
  /** 1 for the decisions of the last days: nothing is learned from them before the new model is measured on them. */
  recent: Uint8Array
}

/** What of a model is learned here. */
export interface Learned {
  intercept: number
  weights: Float64Array
}

export interface Quality {
  /** Of foretelling each recent decision, in nats. */
  logLoss: number
  /** Mean over viewers of how often a like was foretold likelier than a pass; NaN when nobody did both. */
  viewerAuc: number
}

export interface Trained {
  learned: Learned
  typical: number
  /** Of the people in the batch, by their places, from all decisions. */
  effects: Effects
  quality: Quality
  /** The model in use on the same decisions. */
  before: Quality
  isBetter: boolean
}

const prior = { says: constants.saysVariance, receives: constants.receivesVariance, covariance: 0 }
const lossTolerance = 1e-5
const aucTolerance = 0.001

function partOf(batch: Batch, recent: number): Batch {
  const places = [...batch.recent.keys()].filter((place) => batch.recent[place] === recent)
  const rows = new Float64Array(places.length * batch.columns)
  for (const [to, from] of places.entries())
    rows.set(batch.rows.subarray(from * batch.columns, (from + 1) * batch.columns), to * batch.columns)
  const pick = <List extends Int32Array | Uint8Array>(list: List, make: (values: number[]) => List) =>
    make(places.map((place) => list[place]!))
  return {
    ...{ people: batch.people, columns: batch.columns, rows },
    actors: pick(batch.actors, (values) => Int32Array.from(values)),
    targets: pick(batch.targets, (values) => Int32Array.from(values)),
    labels: pick(batch.labels, (values) => Uint8Array.from(values)),
    recent: pick(batch.recent, (values) => Uint8Array.from(values)),
  }
}

function logitsOf({ rows, columns }: Batch, { intercept, weights }: Learned): Float64Array {
  return Float64Array.from({ length: rows.length / columns }, (_, place) => {
    let z = intercept
    for (let column = 0; column < columns; column++) z += weights[column]! * rows[place * columns + column]!
    return z
  })
}

function withIntercept(rows: Float64Array, columns: number): Float64Array {
  const wide = new Float64Array((rows.length / columns) * (columns + 1))
  for (let place = 0; place * columns < rows.length; place++) {
    wide[place * (columns + 1)] = 1
    wide.set(rows.subarray(place * columns, (place + 1) * columns), place * (columns + 1) + 1)
  }
  return wide
}

const decisionsOf = ({ people, actors, targets, labels }: Batch): Decisions => ({ people, actors, targets, labels })

/** How people decide under fixed weights. */
function effectsUnder(batch: Batch, learned: Learned): Effects {
  const offsets = logitsOf(batch, learned)
  return fitEffects({ ...decisionsOf(batch), offsets }, { ...prior, intercept: 0, interceptVariance: 1e-6 })
}

/**
 * Learns how far the weights differ from `start`, so that a feature nobody shows keeps its weight. Each difference is
 * held back by the penalty, on the scale of the features' deviations.
 */
function learn(batch: Batch, start: Learned): Learned {
  const { columns } = batch
  const scale = measureScale(batch.rows, columns)
  const penalties = new Float64Array(columns + 1).fill(constants.trainingPenalty).fill(0, 0, 1)
  const rows = withIntercept(toScale(batch.rows, scale), columns)
  const offsets = logitsOf(batch, start)
  const { weights } = fitDecisions({ ...decisionsOf(batch), offsets, rows, columns: columns + 1 }, penalties, prior)
  const differences = Float64Array.from(start.weights, (_, column) => weights[column + 1]! / scale.deviations[column]!)
  const shift = differences.reduce((sum, difference, column) => sum + difference * scale.means[column]!, 0)
  return {
    intercept: start.intercept + weights[0]! - shift,
    weights: start.weights.map((weight, column) => weight + differences[column]!),
  }
}

function measure(batch: Batch, learned: Learned, { says, receives }: Effects): Quality {
  const viewers = new Map<number, Shown>()
  const probabilities = logitsOf(batch, learned).map((z, place) => {
    const actor = batch.actors[place]!
    const probability = sigmoid(z + says[actor]! + receives[batch.targets[place]!]!)
    const viewer = viewers.get(actor) ?? { labels: [], scores: [] }
    viewer.labels.push(batch.labels[place]!)
    viewer.scores.push(probability)
    viewers.set(actor, viewer)
    return probability
  })
  return { logLoss: logLoss(batch.labels, probabilities), viewerAuc: perViewerAuc(viewers.values()) }
}

/**
 * Learns the weights from all but the recent decisions, and measures them and those in use on the recent ones, both with
 * the people's effects of the time before. The weights are left as they were measured: had they seen the last week,
 * they could not be compared fairly with tomorrow's. The effects are of all decisions. `isBetter` when neither measure
 * got worse.
 */
export function train(batch: Batch, start: Learned, active: Learned): Trained {
  const [past, recent] = [partOf(batch, 0), partOf(batch, 1)]
  const learned = learn(past, start)
  const quality = measure(recent, learned, effectsUnder(past, learned))
  const before = measure(recent, active, effectsUnder(past, active))
  const logits = logitsOf(batch, learned)
  return {
    learned,
    typical: logits.reduce((sum, z) => sum + z, 0) / logits.length - learned.intercept,
    effects: effectsUnder(batch, learned),
    quality,
    before,
    isBetter:
      quality.logLoss <= before.logLoss + lossTolerance && !(quality.viewerAuc < before.viewerAuc - aucTolerance),
  }
}
