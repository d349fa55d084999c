import { matchProbability } from '../../../server/src/features/matching/combine.ts'
import { seededRandom } from '../../../server/src/features/matching/random.ts'
import { fitRidge, logit, sigmoid } from '../../../server/src/features/matching/ridge.ts'
import { interestCorrelation, popularity, similarity, statedPreferences } from './baselines.ts'
import { type Case, type Choice, casesOf, choose, foretell, rehearse } from './choose.ts'
import type { Foretelling } from './evaluate.ts'
import type { Evenings, Pair } from './evenings.ts'
import { type Foretold, learnFeatures } from './foretell.ts'
import { foldWaves, type Regime } from './protocol.ts'

type Bases = readonly [man: number, woman: number]

function basesOf(pairs: readonly Pair[]): Bases {
  const rate = (side: 0 | 1) => pairs.reduce((sum, { said }) => sum + said[side], 0) / pairs.length
  return [rate(0), rate(1)]
}

/** What every model says of every case; the product's is called `duet`. */
function scoresOf(cases: readonly Case[], { prior, combine }: Choice, bases: Bases): Record<string, number>[] {
  const flat: Foretold = () => [logit(bases[0]), logit(bases[1])]
  const unfeatured = foretell(
    cases.map((one) => ({ ...one, expected: flat })),
    prior,
  )
  const both = foretell(cases, prior)
  const random = seededRandom(5)
  return cases.map(({ pair, visible, expected }, place) => {
    const [there, back] = both[place] ?? [0, 0]
    const [plainThere, plainBack] = unfeatured[place] ?? [0, 0]
    const [coldThere, coldBack] = expected(pair)
    return {
      random: random(),
      'interest correlation': interestCorrelation(pair) + 2,
      'attribute similarity': similarity(pair),
      'stated preferences': statedPreferences(pair),
      'popularity product': popularity(visible, bases)(pair),
      'duet, features alone': matchProbability(combine, sigmoid(coldThere), sigmoid(coldBack)),
      'duet, people alone': matchProbability(combine, plainThere, plainBack),
      'duet, viewer only': there,
      'duet, product': there * back,
      duet: matchProbability(combine, there, back),
    }
  })
}

const leastSlope = 0.01

/**
 * From scores to probabilities: a logistic regression on the logarithm of the score (Platt, 1999). It may flatten an
 * order and never turns it round.
 */
function calibrate(scores: readonly number[], matches: readonly number[]): (score: number) => number {
  const logs = scores.map((score) => Math.log(Math.max(score, 1e-6)))
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const rows = Float64Array.from(logs.flatMap((value) => [1, value - mean]))
  const [constant = 0, slope = 0] = fitRidge({ rows, columns: 2, labels: matches }, [0, 1])
  return (score) => sigmoid(constant + Math.max(leastSlope, slope) * (Math.log(Math.max(score, 1e-6)) - mean))
}

/** Everything learned from the evenings that are not tested, once for all regimes. */
export function prepare({ pairs, waves }: Evenings) {
  return foldWaves(pairs, waves, 7).map((tested) => {
    const training = waves.filter((wave) => !tested.includes(wave))
    const learned = pairs.filter(({ wave }) => training.includes(wave))
    const models = new Map<number, Foretold>()
    const model = (penalty: number) => {
      const expected = models.get(penalty) ?? learnFeatures(learned, penalty)
      models.set(penalty, expected)
      return expected
    }
    return { tested, model, bases: basesOf(learned), rehearsal: rehearse(pairs, training) }
  })
}

/** A calibration of each model's scores by what came of the rehearsed pairs. */
function calibrationsOf(rehearsed: readonly Case[], choice: Choice, bases: Bases) {
  const known = scoresOf(rehearsed, choice, bases)
  const matches = rehearsed.map(({ pair }) => pair.match)
  return Object.keys(known[0] ?? {}).map((name) => {
    const scores = known.map((one) => one[name] ?? 0)
    return { name, probability: calibrate(scores, matches) }
  })
}

type Fold = ReturnType<typeof prepare>[number]

function foretellFold(
  pairs: readonly Pair[],
  { tested, model, bases, rehearsal }: Fold,
  regime: Regime,
  choice: Choice,
) {
  const rehearsed = rehearsal.find(({ penalty }) => penalty === choice.penalty)?.cases(regime) ?? []
  const calibrations = calibrationsOf(rehearsed, choice, bases)
  const cases = regime.masks.flatMap((seed) => casesOf(pairs, tested, regime, model(choice.penalty), seed))
  return scoresOf(cases, choice, bases).map((scores, place): Foretelling => {
    const { pair, mask } = cases[place] as Case
    const calibrated = calibrations.map(({ name, probability }) => [name, probability(scores[name] ?? 0)] as const)
    // What is chosen differs between folds, so that only calibrated scores compare; a baseline's own do anyway.
    const comparable = Object.fromEntries(calibrated.filter(([name]) => name.startsWith('duet')))
    return { pair, mask, scores: { ...scores, ...comparable }, probabilities: Object.fromEntries(calibrated) }
  })
}

/** Foretells the hidden pairs of every evening, seven groups of evenings in turn. */
export function foretellAll({ pairs }: Evenings, folds: readonly Fold[], regime: Regime) {
  const chosen = folds.map((fold) => ({ fold, choice: choose(fold.rehearsal, regime) }))
  const foretellings = chosen.flatMap(({ fold, choice }) => foretellFold(pairs, fold, regime, choice))
  return { choices: chosen.map(({ choice }) => choice), foretellings }
}
