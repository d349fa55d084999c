import { type Beliefs, unlearnedBeliefs } from './beliefs.ts'
import type { Combine } from './combine.ts'
import { requireFeatures } from './features.ts'
import { productFeatures } from './pair.ts'

export interface RankingModel {
  /** 0 before any training. */
  version: number
  intercept: number
  /** One for each of `productFeatures`, in that order. */
  weights: Float64Array
  combine: Combine
  beliefs: Beliefs
  /** How much the features add on average to the logit of a pair that is shown. */
  typical: number
}

// Hand-set weights until the first training. Age has the only strong weight found in the speed-dating data: -0.14 per
// standard deviation of 3 years. Ten times the distance costs as much as two deviations of taste. Interests and
// questions start conversations but predicted little in that data (AUC 0.526 and 0.525), so their weights are small.
// The rest is judgement: what two people want from each other counts more than their habits, and each unmet preference
// counts like ten years of age difference.
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

export const defaultModel: RankingModel = {
  version: 0,
  intercept: -0.3,
  weights: Float64Array.from(productFeatures, (name) => byHand[name] ?? 0),
  combine: { kind: 'harmonic' },
  beliefs: unlearnedBeliefs,
  typical: -0.7,
}

export function namedWeights({ weights }: Pick<RankingModel, 'weights'>): Record<string, number> {
  return Object.fromEntries(productFeatures.map((name, place) => [name, weights[place] ?? 0]))
}

/**
 * Reads stored weights in the order of `productFeatures`; missing features get 0. Throws a TypeError for a feature that
 * isn't allowed.
 */
export function readWeights(named: Record<string, number>): Float64Array {
  requireFeatures(Object.keys(named))
  return Float64Array.from(productFeatures, (name) => named[name] ?? 0)
}
