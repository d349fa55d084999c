import { type Combine, fitStack, matchProbability } from '../../../server/src/features/matching/combine.ts'
import type { EffectsPrior } from '../../../server/src/features/matching/effects.ts'
import { areaUnderCurve } from '../../../server/src/features/matching/metrics.ts'
import { sigmoid } from '../../../server/src/features/matching/ridge.ts'
import type { Pair } from './evenings.ts'
import { type Foretold, learnFeatures, watch } from './foretell.ts'
import { foldWaves, mask, type Regime } from './protocol.ts'
import { viewersOf } from './viewers.ts'

export interface Choice {
  penalty: number
  prior: Omit<EffectsPrior, 'intercept'>
  combine: Combine
}

export interface Case {
  pair: Pair
  mask: number
  expected: Foretold
  visible: readonly Pair[]
}

const penalties = [100, 300, 1000]
const priors = [1, 2, 4].flatMap((receives) =>
  [2, 4].map((says) => ({ says, receives, covariance: 0, interceptVariance: 1 })),
)
const masksOfChoosing = [97, 98, 99]

/** Returns the hidden pairs of `waves`, each with the visible pairs of its evening. */
export function casesOf(
  pairs: readonly Pair[],
  waves: readonly number[],
  regime: Regime,
  expected: Foretold,
  seed: number,
) {
  return waves.flatMap((wave) => {
    const { visible, hidden } = mask(pairs, wave, regime, seed)
    return hidden.map((pair): Case => ({ pair, mask: seed, expected, visible }))
  })
}

/** Returns both probabilities for every case. Fits each evening's people once. */
export function foretell(cases: readonly Case[], prior: Choice['prior']): [there: number, back: number][] {
  const evenings = new Map<readonly Pair[], Foretold>()
  return cases.map(({ pair, visible, expected }) => {
    const evening = evenings.get(visible) ?? watch(visible, expected, prior)
    evenings.set(visible, evening)
    const [there, back] = evening(pair)
    return [sigmoid(there), sigmoid(back)]
  })
}

/** Ranking quality: the mean of the pooled AUC and the average per-viewer AUC. */
function worth(cases: readonly Case[], scores: number[]): number {
  const labels = cases.map(({ pair }) => pair.match)
  const areas = viewersOf(cases, scores).map((viewer) => areaUnderCurve(viewer.labels, viewer.scores))
  const known = areas.filter((area) => !Number.isNaN(area))
  return (areaUnderCurve(labels, scores) + known.reduce((sum, area) => sum + area, 0) / known.length) / 2
}

function* combinations(cases: readonly Case[], penalty: number): Generator<{ choice: Choice; worth: number }> {
  const matches = cases.map(({ pair }) => pair.match)
  for (const prior of priors) {
    const both = foretell(cases, prior)
    const stack = fitStack(
      both.map(([there]) => there),
      both.map(([, back]) => back),
      matches,
    )
    for (const combine of [{ kind: 'product' }, { kind: 'harmonic' }, stack] satisfies Combine[]) {
      const scores = both.map(([there, back]) => matchProbability(combine, there, back))
      yield { choice: { penalty, prior, combine }, worth: worth(cases, scores) }
    }
  }
}

/**
 * Fits feature models for each penalty on part of the training evenings, to predict the hidden pairs of the rest. They
 * are fitted once for all regimes.
 */
export function rehearse(pairs: readonly Pair[], waves: readonly number[]) {
  const folds = foldWaves(pairs, waves, 3)
  return penalties.map((penalty) => {
    const parts = folds.map((held) => {
      const learned = pairs.filter(({ wave }) => waves.includes(wave) && !held.includes(wave))
      return { held, expected: learnFeatures(learned, penalty) }
    })
    const casesByPart = (regime: Regime) =>
      parts.map(({ held, expected }) =>
        (regime.byTime ? [0] : masksOfChoosing).flatMap((seed) => casesOf(pairs, held, regime, expected, seed)),
      )
    return { penalty, casesByPart }
  })
}

/** Returns the hyperparameters that ranked the held-out pairs of the training evenings best. */
export function choose(rehearsal: ReturnType<typeof rehearse>, regime: Regime): Choice {
  const tried = rehearsal.flatMap(({ penalty, casesByPart }) => [...combinations(casesByPart(regime).flat(), penalty)])
  return tried.reduce((best, one) => (one.worth > best.worth ? one : best)).choice
}
