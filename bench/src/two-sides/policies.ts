import { type Combine, matchProbability } from '../../../server/src/features/matching/combine.ts'
import { matchingConstants as constants } from '../../../server/src/features/matching/constants.ts'
import { composeDeck, contendersOf } from '../../../server/src/features/matching/deck.ts'
import { defaultModel } from '../../../server/src/features/matching/model.ts'
import { knownAnswer, rankOf } from '../../../server/src/features/matching/score.ts'
import { drawBelow, type Random } from '../../../server/src/platform/random.ts'
import type { Option, Policy, Visit } from './days.ts'

const deckOfDay = 10

const top =
  (value: (option: Option) => number): Policy =>
  (options) => {
    const values = Float64Array.from(options, value)
    const least = values.slice().sort()[values.length - deckOfDay] ?? Number.NEGATIVE_INFINITY
    return [...options.keys()]
      .filter((place) => values[place]! >= least)
      .sort((one, other) => values[other]! - values[one]!)
      .slice(0, deckOfDay)
      .map((place) => options[place]!.place)
  }

export const matchOf = (option: Option, combine: Combine = defaultModel.combine): number =>
  matchProbability(combine, option.there, knownAnswer(option) ?? option.back)

export type Rank = (option: Option, visit: Visit) => number

const exploredOf = 60

/**
 * Returns everyone who can enter the deck: people who like the viewer, the best by rank and, for the exploring slots,
 * newcomers and a large enough random sample of the rest. A deck built from these has the same distribution as one
 * built from everyone.
 */
function mayAppear(options: readonly Option[], ranks: Float64Array, random: Random): number[] {
  const sorted = new Float64Array(options.length)
  let others = 0
  for (let place = 0; place < options.length; place++)
    if (!options[place]!.likesViewer) sorted[others++] = ranks[place]!
  const least = sorted.subarray(0, others).sort()[others - constants.deckSize] ?? Number.NEGATIVE_INFINITY
  const appearing: number[] = []
  const settled: number[] = []
  for (let place = 0; place < options.length; place++) {
    const { likesViewer, isNew, impressions } = options[place]!
    const isOwed = isNew && impressions < constants.newcomerImpressions
    if (likesViewer || ranks[place]! >= least || isOwed) appearing.push(place)
    else settled.push(place)
  }
  for (let drawn = 0; drawn < Math.min(exploredOf, settled.length); drawn++) {
    const other = drawn + drawBelow(random, settled.length - drawn)
    appearing.push(settled[other]!)
    settled[other] = settled[drawn]!
  }
  return appearing
}

/** Builds the product's deck with a trial rank. Without exploring, the exploring slots go to the best by rank. */
export const deckBy =
  (rank: Rank, { explores } = { explores: true }): Policy =>
  (options, visit) => {
    const ranks = new Float64Array(options.length)
    for (let place = 0; place < ranks.length; place++) ranks[place] = rank(options[place]!, visit)
    const ranked = mayAppear(options, ranks, visit.random).map((place) => {
      const { place: id, likesViewer, isNew, impressions } = options[place]!
      return { id: String(id), rank: ranks[place]!, likesViewer, isNew, impressions }
    })
    const contenders = contendersOf(ranked).filter(({ kind }) => explores || kind !== 'explore')
    return composeDeck(contenders, visit.random, deckOfDay).map(({ id }) => Number(id))
  }

export const duet = deckBy((option, { meanPending }) => rankOf(matchOf(option), option, meanPending))

export const baselines = {
  'distance only': top(({ km }) => -km),
  'distance, received likes first': top(({ km, likesViewer }) => (likesViewer ? 1e3 : 0) - km),
  popularity: top(({ receives }) => receives),
  'reciprocal, no congestion': top((option) => matchOf(option)),
} satisfies Record<string, Policy>
