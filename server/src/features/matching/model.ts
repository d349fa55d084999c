import { type Beliefs, unlearnedBeliefs } from './beliefs.ts'
import type { Combine } from './combine.ts'
import { requireFeatures } from './features.ts'
import { productFeatures } from './pair.ts'

/** The numbers that rank: trained, or hand-set before the first training. */
export interface RankingModel {
  /** 0 before any training. */
  version: number
  intercept: number
  /** One for each of `productFeatures`, in that order. */
  weights: Float64Array
  combine: Combine
  beliefs: Beliefs
  /** The average contribution of the features of two people who are shown to each other. */
  typical: number
}

// Hand-set weights for the time before training. Age: the one strong weight of the speed-dating evenings, -0.14 per
// deviation of 3 years. Distance: ten times the distance costs as much as two deviations of taste. Interests and
// questions start conversations but predicted little (AUC 0.526 and 0.525 there), so they weigh little. The rest is
// judgement: what two people want of each other counts more than their habits, and each unmet preference counts like
// ten years.
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

/** The model before any training. */
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
 * Reads stored weights in the order of `productFeatures`; missing features weigh nothing. Throws a TypeError for a
 * feature that isn't allowed.
 */
export function readWeights(named: Record<string, number>): Float64Array {
  requireFeatures(Object.keys(named))
  return Float64Array.from(productFeatures, (name) => named[name] ?? 0)
}
