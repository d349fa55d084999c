import { seededRandom } from '../../platform/random.ts'
import { type Beliefs, expectedOf, interestRows, priorOf, unlearnedBeliefs } from './beliefs.ts'
import { matchingConstants as constants } from './constants.ts'
import { type Decisions, type Effects, fitEffects } from './effects.ts'
import { type Interval, measureDrawn } from './evaluation.ts'
import { fitDecisions } from './fit.ts'
import { logLoss, logLosses, perViewerAuc, type Shown } from './metrics.ts'
import { sigmoid } from './ridge.ts'
import { measureScale, toScale } from './scale.ts'

/**
 * How strong a like is, the strongest last. What happens after a match isn't used, because it brought no measurable
 * gain (decision 031). Whether two people met would be the next stage.
 */
export const stages = ['like', 'words'] as const
const weightOf: Record<(typeof stages)[number], number> = { like: 1, words: constants.wordsWeight }

/** Decisions about shown people as flat arrays, which can be sent to a worker: one value or row per decision. */
export interface Batch {
  people: number
  actors: Int32Array
  targets: Int32Array
  labels: Uint8Array
  /** The strength of each like, as an index into `stages`; 0 for passes. */
  stages: Uint8Array
  rows: Float64Array
  columns: number
  /** Two interest masks per person, one person after another. */
  interests: Int32Array
  /** 1 for decisions of the last days, which are used only for validation. */
  recent: Uint8Array
  /** The inverse of the probability of drawing the card, for exploration cards; 0 for all others. */
  exploring: Float64Array
}

export interface Learned {
  intercept: number
  weights: Float64Array
  beliefs: Beliefs
}

export interface Quality {
  /** The loss of predicting recent decisions, in nats per decision. */
  logLoss: number
  /** How often a like was predicted likelier than a pass, averaged over viewers; NaN if no viewer gave both answers. */
  viewerAuc: number
}

export interface Trained {
  learned: Learned
  typical: number
  /** The effects of the batch's people, by index, from all decisions. Relative to their prior means. */
  effects: Effects
  quality: Quality
  /** The best value of each measure among the kept models, on the same decisions. */
  before: Quality
  /** The gain over the best kept model in predicting recent decisions on exploration cards, in nats. */
  gain: Interval | undefined
  isBetter: boolean
}

const aucTolerance = 0.001
/** Rounds of learning weights, effects and priors in turn: enough for the variances to converge. */
const turns = 8

function partOf(batch: Batch, recent: number): Batch {
  const places = [...batch.recent.keys()].filter((place) => batch.recent[place] === recent)
  const rows = new Float64Array(places.length * batch.columns)
  for (const [to, from] of places.entries())
    rows.set(batch.rows.subarray(from * batch.columns, (from + 1) * batch.columns), to * batch.columns)
  const pick = <List extends Int32Array | Uint8Array>(list: List, make: (values: number[]) => List) =>
    make(places.map((place) => list[place]!))
  return {
    people: batch.people,
    columns: batch.columns,
    rows,
    interests: batch.interests,
    actors: pick(batch.actors, (values) => Int32Array.from(values)),
    targets: pick(batch.targets, (values) => Int32Array.from(values)),
    labels: pick(batch.labels, (values) => Uint8Array.from(values)),
    stages: pick(batch.stages, (values) => Uint8Array.from(values)),
    recent: pick(batch.recent, (values) => Uint8Array.from(values)),
    exploring: Float64Array.from(places, (place) => batch.exploring[place]!),
  }
}

/** Whether both parts have likes and passes. With one kind of answer only, the intercept would grow without bound. */
export function hasBothAnswers({ labels, recent }: Pick<Batch, 'labels' | 'recent'>): boolean {
  // The counts of passes and likes: first of the earlier days, then of the recent days.
  const counts = [0, 0, 0, 0]
  for (const [place, yes] of labels.entries()) counts[recent[place]! * 2 + yes]! += 1
  return Math.min(...counts) >= constants.eachAnswerLeast
}

function pairLogits({ rows, columns }: Batch, { intercept, weights }: Learned): Float64Array {
  return Float64Array.from({ length: rows.length / columns }, (_, place) => {
    let z = intercept
    for (let column = 0; column < columns; column++) z += weights[column]! * rows[place * columns + column]!
    return z
  })
}

export function expectedIn({ interests }: Pick<Batch, 'interests'>, person: number, { says, receives }: Beliefs) {
  const masks = [interests[person * 2]!, interests[person * 2 + 1]!] as const
  return { says: expectedOf(says, masks), receives: expectedOf(receives, masks) }
}

/** Each decision's logit from the features and both people's prior means. */
function logitsOf(batch: Batch, learned: Learned): Float64Array {
  const expected = Array.from({ length: batch.people }, (_, person) => expectedIn(batch, person, learned.beliefs))
  return pairLogits(batch, learned).map(
    (z, place) => z + expected[batch.actors[place]!]!.says + expected[batch.targets[place]!]!.receives,
  )
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

/** Weights likes by their strength, scaled so that the weights add up to the number of likes. */
function countsOf({ labels, stages: reached }: Batch): Float64Array {
  const weights = Float64Array.from(labels, (yes, place) => (yes ? weightOf[stages[reached[place]!]!] : 1))
  let likes = 0
  let sum = 0
  for (const [place, yes] of labels.entries()) {
    likes += yes
    sum += yes * weights[place]!
  }
  return weights.map((weight, place) => (labels[place] ? (weight * likes) / sum : weight))
}

function effectsUnder(batch: Batch, learned: Learned): Effects {
  const offsets = logitsOf(batch, learned)
  const prior = { ...priorOf(learned.beliefs), intercept: 0, interceptVariance: 1e-6 }
  return fitEffects({ ...decisionsOf(batch), offsets, counts: countsOf(batch) }, prior)
}

/**
 * Learns how the weights differ from `start`, so that a feature that nobody has keeps its weight. The penalty shrinks
 * each difference, measured in standard deviations of the feature.
 */
function learn(batch: Batch, start: Learned): Learned {
  const { columns } = batch
  const scale = measureScale(batch.rows, columns)
  const penalties = new Float64Array(columns + 1).fill(constants.trainingPenalty).fill(0, 0, 1)
  // Not clipped, because ranking doesn't clip features either.
  const rows = withIntercept(toScale(batch.rows, scale, Number.POSITIVE_INFINITY), columns)
  const offsets = pairLogits(batch, start)
  const interests = interestRows(batch.interests)
  const { weights, beliefs } = fitDecisions(
    { ...decisionsOf(batch), offsets, rows, columns: columns + 1, interests },
    penalties,
    priorOf(unlearnedBeliefs),
    turns,
  )
  const differences = Float64Array.from(start.weights, (_, column) => weights[column + 1]! / scale.deviations[column]!)
  const shift = differences.reduce((sum, difference, column) => sum + difference * scale.means[column]!, 0)
  // The interest weights were learned relative to the average person, but ranking adds them from zero.
  const usual = interests.shares.reduce(
    (sum, share, interest) => sum + share * (beliefs.says.interests[interest]! + beliefs.receives.interests[interest]!),
    0,
  )
  return {
    beliefs,
    intercept: start.intercept + weights[0]! - shift - usual,
    weights: start.weights.map((weight, column) => weight + differences[column]!),
  }
}

interface Foretold extends Quality {
  /** Per decision, in nats. */
  losses: Float64Array
}

function foretell(past: Batch, recent: Batch, learned: Learned): Foretold {
  const { says, receives } = effectsUnder(past, learned)
  const viewers = new Map<number, Shown>()
  const probabilities = logitsOf(recent, learned).map((z, place) => {
    const actor = recent.actors[place]!
    const probability = sigmoid(z + says[actor]! + receives[recent.targets[place]!]!)
    const viewer = viewers.get(actor) ?? { labels: [], scores: [] }
    viewer.labels.push(recent.labels[place]!)
    viewer.scores.push(probability)
    viewers.set(actor, viewer)
    return probability
  })
  return {
    logLoss: logLoss(recent.labels, probabilities),
    viewerAuc: perViewerAuc(viewers.values()),
    losses: logLosses(recent.labels, probabilities),
  }
}

/** The gain over the best of `kept` on exploration cards, which ranking didn't choose. */
function gainOver(recent: Batch, made: Foretold, kept: readonly Foretold[]): Interval | undefined {
  const places = [...recent.exploring.keys()].filter((place) => recent.exploring[place]! > 0)
  const viewers = places.map((place) => recent.actors[place]!)
  const weights = places.map((place) => recent.exploring[place]!)
  const costOf = ({ losses }: Foretold) =>
    places.reduce((sum, place) => sum + recent.exploring[place]! * losses[place]!, 0)
  const best = kept.reduce((one, other) => (costOf(other) < costOf(one) ? other : one))
  const values = places.map((place) => best.losses[place]! - made.losses[place]!)
  return measureDrawn({ viewers, values, weights }, seededRandom(places.length))
}

const bestOf = (kept: readonly Foretold[]): Quality => {
  const areas = kept.map(({ viewerAuc }) => viewerAuc).filter((area) => !Number.isNaN(area))
  return {
    logLoss: Math.min(...kept.map((one) => one.logLoss)),
    viewerAuc: areas.length > 0 ? Math.max(...areas) : Number.NaN,
  }
}

/**
 * Learns the weights from all but the recent decisions, then measures them and all `kept` models (at least one) on the
 * recent decisions, each with effects from before. The measured weights are returned unchanged: if they were also
 * trained on the last week, tomorrow's model couldn't be compared with them fairly. The effects use all decisions.
 * `isBetter` means that the lower end of the gain over the best of `kept` on exploration cards is above 0. With too few
 * exploration cards, all recent decisions count: the log loss must be below that of each of `kept`, and the area under
 * the curve at most .001 worse. That comparison favours the weights that chose the cards. `isBetter` is false if a part
 * lacks one kind of answer, or no viewer gave both, because nothing shows then that the order is better.
 */
export function train(batch: Batch, start: Learned, kept: readonly Learned[]): Trained {
  const past = partOf(batch, 0)
  const recent = partOf(batch, 1)
  const learned = learn(past, start)
  const [made, ...others] = [learned, ...kept].map((one) => foretell(past, recent, one)) as [Foretold, ...Foretold[]]
  const before = bestOf(others)
  const gain = gainOver(recent, made, others)
  const { logLoss: loss, viewerAuc } = made
  const logits = pairLogits(batch, learned)
  const tells = hasBothAnswers(batch) && !Number.isNaN(viewerAuc)
  return {
    learned,
    typical: logits.reduce((sum, z) => sum + z, 0) / logits.length - learned.intercept,
    effects: effectsUnder(batch, learned),
    quality: { logLoss: loss, viewerAuc },
    before,
    gain,
    isBetter: tells && (gain ? gain.low > 0 : loss < before.logLoss && !(viewerAuc < before.viewerAuc - aucTolerance)),
  }
}
