import { type Combine, matchProbability } from '../../../server/src/features/matching/combine.ts'
import { matchingConstants as constants } from '../../../server/src/features/matching/constants.ts'
import { logit, sigmoid } from '../../../server/src/features/matching/ridge.ts'
import { knownAnswer, rankOf } from '../../../server/src/features/matching/score.ts'
import { drawNormal, type Random } from '../../../server/src/platform/random.ts'
import type { Option, Policy, Visit } from './days.ts'
import { baselines, deckBy, duet, matchOf } from './policies.ts'

const served = (option: Option, { meanPending }: Visit, match = matchOf(option)) => rankOf(match, option, meanPending)

const combined = (combine: Combine) => deckBy((option, visit) => served(option, visit, matchOf(option, combine)))

/** Without the chance of an answer, and with it for everyone instead of only for people who like the viewer. */
const unanswered = deckBy((option, visit) => served({ ...option, isBusy: false }, visit))
const answeredByAll = deckBy((option, visit) =>
  served({ ...option, isBusy: option.matchedToday >= constants.answeredADay }, visit),
)

function drawnMatch(option: Option, random: Random): number {
  const says = 1 / (1 / constants.saysVariance + option.tally.made_weight)
  const receives = 1 / (1 / constants.receivesVariance + option.tally.received_weight)
  const there = sigmoid(logit(option.there) + Math.sqrt(receives) * drawNormal(random))
  const back = knownAnswer(option) ?? sigmoid(logit(option.back) + Math.sqrt(says) * drawNormal(random))
  return matchProbability({ kind: 'product' }, there, back)
}

/** The rank with a linear price per unanswered like instead of its congestion term. */
const priced = (price: (pending: number, mean: number) => number) =>
  deckBy(
    (option, { meanPending }) =>
      rankOf(matchOf(option), { ...option, pending: 0 }, meanPending) -
      (option.likesViewer ? 0 : price(option.pending, meanPending)),
  )

const weights = [0, 1, 2, 4]

export const steps: Readonly<Record<string, Policy>> = {
  served: duet,
  'distance only': baselines['distance only'],
  'the product of both': combined({ kind: 'product' }),
  'their harmonic mean, squared': combined({ kind: 'harmonic' }),
  ...Object.fromEntries(
    weights.map((weight) => [
      `congestion weight ${weight}`,
      deckBy((option, { meanPending }) => rankOf(matchOf(option), option, meanPending, weight)),
    ]),
  ),
  ...Object.fromEntries(
    [2, 5].map((most) => [
      `congestion of ${most} logits at most`,
      priced((pending, mean) =>
        Math.min(most, constants.congestionWeight * Math.log1p(pending / Math.max(mean, constants.usualPendingLeast))),
      ),
    ]),
  ),
  'a price of .35 for each waiting like': priced((pending) => 0.35 * pending),
  'a price of .75 for the usual waiting likes': priced((pending, mean) => (0.75 * pending) / Math.max(mean, 2)),
  'without the chance of an answer': unanswered,
  'the chance of an answer for everybody': answeredByAll,
  'posterior draw, and no exploring': deckBy(
    (option, visit) => served(option, visit, drawnMatch(option, visit.random)),
    { explores: false },
  ),
  'no exploring': deckBy(served, { explores: false }),
}
