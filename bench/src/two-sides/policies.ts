import { matchProbability } from '../../../server/src/features/matching/combine.ts'
import { matchingConstants } from '../../../server/src/features/matching/constants.ts'
import { composeDeck, contendersOf } from '../../../server/src/features/matching/deck.ts'
import { knownAnswer, rankOf } from '../../../server/src/features/matching/score.ts'
import type { Option, Policy } from './days.ts'

const deckOfDay = 10

/** The first ten by a value, the largest first. */
const top =
  (value: (option: Option) => number): Policy =>
  (options) =>
    options
      .map((option) => ({ place: option.place, value: value(option) }))
      .sort((one, other) => other.value - one.value)
      .slice(0, deckOfDay)
      .map(({ place }) => place)

const product = (option: Option) =>
  matchProbability({ kind: 'product' }, option.there, knownAnswer(option) ?? option.back)

/** The product's rank and the product's deck, with a congestion weight to try. */
export const duet =
  (congestionWeight: number = matchingConstants.congestionWeight): Policy =>
  (options, { meanPending, day, random }) => {
    const ranked = options.map((option) => ({
      id: option.id,
      rank: rankOf(product(option), option, meanPending, congestionWeight),
      likesViewer: option.likesViewer,
      isNew: day * 24 < matchingConstants.newcomerHours,
      impressions: option.impressions,
    }))
    return composeDeck(contendersOf(ranked), random, deckOfDay).map(({ id }) => Number(id))
  }

/** What others rank by, and the product's score without its rank. */
export const baselines: Record<string, Policy> = {
  'distance only': top(({ km }) => -km),
  'distance, received likes first': top(({ km, likesViewer }) => (likesViewer ? 1e3 : 0) - km),
  popularity: top(({ receives }) => receives),
  'reciprocal product, no congestion': top(product),
}
