import { matchProbability } from '../../../server/src/features/matching/combine.ts'
import { fitRidge, logit, sigmoid } from '../../../server/src/features/matching/ridge.ts'
import { seededRandom } from '../../../server/src/platform/random.ts'
import { interestCorrelation, popularity, similarity, statedPreferences } from './baselines.ts'
import { type Case, type Choice, casesOf, choose, foretell, rehearse } from './choose.ts'
import type { Foretelling } from './evaluate.ts'
import type { Evenings, Pair } from './evenings.ts'
import { type Foretold, learnFeatures } from './foretell.ts'
import { learnGraded } from './graded.ts'
import { foldWaves, type Regime } from './protocol.ts'
import { type Served, serve } from './served.ts'

type Bases = readonly [man: number, woman: number]

function basesOf(pairs: readonly Pair[]): Bases {
  const rate = (side: 0 | 1) => pairs.reduce((sum, { said }) => sum + said[side], 0) / pairs.length
  return [rate(0), rate(1)]
}

/** Returns every model's score for every case. Ours is called `duet`. */
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
 * Turns scores into probabilities with a logistic regression on the log score (Platt, 1999). The slope stays positive,
 * so the order never changes.
 */
function calibrate(scores: readonly number[], matches: readonly number[]): (score: number) => number {
  const logs = scores.map((score) => Math.log(Math.max(score, 1e-6)))
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const rows = Float64Array.from(logs.flatMap((value) => [1, value - mean]))
  const [constant = 0, slope = 0] = fitRidge({ rows, columns: 2, labels: matches }, [0, 1])
  return (score) => sigmoid(constant + Math.max(leastSlope, slope) * (Math.log(Math.max(score, 1e-6)) - mean))
}

/** Fits everything that depends on the training evenings alone, once for all regimes. */
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

function calibrationsOf(rehearsed: readonly Case[], choice: Choice, bases: Bases) {
  const known = scoresOf(rehearsed, choice, bases)
  const matches = rehearsed.map(({ pair }) => pair.match)
  return Object.keys(known[0] ?? {}).map((name) => {
    const scores = known.map((one) => one[name] ?? 0)
    return { name, probability: calibrate(scores, matches) }
  })
}

type Fold = ReturnType<typeof prepare>[number]

/** The served and graded predictions, which are already probabilities. */
interface Beside {
  served: ReadonlyMap<string, Served>
  graded: readonly number[]
}

function besides({ served, graded }: Beside, { pair, mask }: Case, place: number) {
  const [man, woman] = pair.people
  const known = served.get(`${man.place} ${woman.place} ${mask}`)
  if (!known) throw new TypeError('a pair was not served')
  return { ...known, 'graded, openly': graded[place] ?? 0 }
}

function foretellFold(
  pairs: readonly Pair[],
  { tested, model, bases, rehearsal }: Fold,
  regime: Regime,
  choice: Choice,
) {
  const parts = rehearsal.find(({ penalty }) => penalty === choice.penalty)?.casesByPart(regime) ?? []
  const calibrations = calibrationsOf(parts.flat(), choice, bases)
  const cases = regime.masks.flatMap((seed) => casesOf(pairs, tested, regime, model(choice.penalty), seed))
  const beside = { served: serve(pairs, tested, regime), graded: learnGraded(parts, choice.prior)(cases) }
  return scoresOf(cases, choice, bases).map((scores, place): Foretelling => {
    const one = cases[place] as Case
    const calibrated = calibrations.map(({ name, probability }) => [name, probability(scores[name] ?? 0)] as const)
    // Hyperparameters differ between folds, so only calibrated scores are comparable across folds. Baselines have no
    // hyperparameters.
    const comparable = Object.fromEntries(calibrated.filter(([name]) => name.startsWith('duet')))
    const own = besides(beside, one, place)
    const probabilities = { ...Object.fromEntries(calibrated), ...own }
    return { pair: one.pair, mask: one.mask, scores: { ...scores, ...comparable, ...own }, probabilities }
  })
}

/** Predicts the hidden pairs of every evening by sevenfold cross-validation over evenings. */
export function foretellAll({ pairs }: Evenings, folds: readonly Fold[], regime: Regime) {
  const chosen = folds.map((fold) => ({ fold, choice: choose(fold.rehearsal, regime) }))
  const foretellings = chosen.flatMap(({ fold, choice }) => foretellFold(pairs, fold, regime, choice))
  return { choices: chosen.map(({ choice }) => choice), foretellings }
}

/** Predicts with the served model and popularity only, which is quick enough to draw a curve. */
export function serveAll({ pairs }: Evenings, folds: readonly Fold[], regime: Regime): Foretelling[] {
  const nothing: Foretold = () => [0, 0]
  return folds.flatMap(({ tested, bases }) => {
    const served = serve(pairs, tested, regime)
    return regime.masks
      .flatMap((seed) => casesOf(pairs, tested, regime, nothing, seed))
      .map((one, place): Foretelling => {
        const known = besides({ served, graded: [] }, one, place)
        const scores = { served: known.served, 'popularity product': popularity(one.visible, bases)(one.pair) }
        return { pair: one.pair, mask: one.mask, scores, probabilities: scores }
      })
  })
}
