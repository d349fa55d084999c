import { type Beliefs, unlearnedBeliefs } from './beliefs.ts'
import type { Combine } from './combine.ts'
import { requireFeatures } from './features.ts'
import { productFeatures } from './pair.ts'

/** What ranks: learned from many, or set by hand before the first decisions. */
export interface RankingModel {
  /** 0 before any training. */
  version: number
  intercept: number
  /** One for each of `productFeatures`, in its order. */
  weights: Float64Array
  combine: Combine
  /** What is expected of people before they decide. */
  beliefs: Beliefs
  /** What the features of two people who are shown to each other add on average. */
  typical: number
}

// By hand, for the time before training. Age: the one strong weight of the speed-dating evenings, -0.14 per deviation
// of 3 years. Distance: a decade of km costs what two deviations of taste do. Interests and questions start
// conversations and foretold little (AUC 0.526 and 0.525 there), so they weigh little. The rest is judgement: what
// two people want of each other counts more than their habits, and each wish that is not met counts like ten years.
const byHand: Readonly<Record<string, number>> = {
  'age.gap': -0.35,
  'age.gap_squared': -0.15,
  'distance.log': -2,
  'interests.shared': 0.15,
  'intents.overlap': 0.4,
  'facts.children': 0.3,
  'facts.smoking': 0.2,
  'facts.drinking': 0.1,
  'languages.shared': 0.3,
  'questions.agreement': 0.4,
  'preferences.unmet': -0.5,
}

/** What ranks before anything was learned. */
export const defaultModel: RankingModel = {
  version: 0,
  intercept: -0.3,
  weights: Float64Array.from(productFeatures, (name) => byHand[name] ?? 0),
  combine: { kind: 'harmonic' },
  beliefs: unlearnedBeliefs,
  typical: -0.7,
}

/** The weights by name, as they are kept and shown. */
export function namedWeights({ weights }: Pick<RankingModel, 'weights'>): Record<string, number> {
  return Object.fromEntries(productFeatures.map((name, place) => [name, weights[place] ?? 0]))
}

/**
 * Weights that were kept, in the order of `productFeatures`; a feature they lack weighs nothing. Throws a TypeError
 * when they hold one that may not be learned from.
 */
export function readWeights(named: Record<string, number>): Float64Array {
  requireFeatures(Object.keys(named))
  return Float64Array.from(productFeatures, (name) => named[name] ?? 0)
}
