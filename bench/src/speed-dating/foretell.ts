import type { EffectsPrior } from '../../../server/src/features/matching/effects.ts'
import { fitEffects } from '../../../server/src/features/matching/effects.ts'
import { fitDecisions } from '../../../server/src/features/matching/fit.ts'
import { measureScale, toScale } from '../../../server/src/features/matching/scale.ts'
import type { Pair } from './evenings.ts'
import { featuresOf, pairFeatures } from './pair-features.ts'

/** The logits of a yes by the man and by the woman of a pair. */
export type Foretold = (pair: Pair) => readonly [man: number, woman: number]

const directions = [0, 1] as const
const features = pairFeatures.length

// The features, the intercept and the decider's gender, because women said yes less often. Both genders share a model,
// as in the product.
const columns = 2 + features

function rowsOf(pairs: readonly Pair[]): Float64Array {
  const rows = new Float64Array(pairs.length * 2 * features)
  for (const [place, pair] of pairs.entries())
    for (const side of directions) {
      const row = featuresOf(pair.people[side], pair.people[side === 0 ? 1 : 0], pair)
      rows.set(row, (place * 2 + side) * features)
    }
  return rows
}

function withIntercept(rows: Float64Array): Float64Array {
  const count = rows.length / features
  const wide = new Float64Array(count * columns)
  for (let place = 0; place < count; place++) {
    wide.set([1, place % 2 === 0 ? 1 : -1], place * columns)
    wide.set(rows.subarray(place * features, (place + 1) * features), place * columns + 2)
  }
  return wide
}

/** Both decisions of every pair, the man's first, in the format of the product's trainer. */
function decisionsOf(pairs: readonly Pair[]) {
  const places = new Map<number, number>()
  const placeOf = (person: number) => {
    const place = places.get(person) ?? places.size
    places.set(person, place)
    return place
  }
  const both = pairs.map(({ people: [man, woman] }) => [placeOf(man.place), placeOf(woman.place)] as const)
  return {
    places,
    decisions: {
      people: places.size,
      actors: Int32Array.from(both.flat()),
      targets: Int32Array.from(both.flatMap(([man, woman]) => [woman, man])),
      labels: pairs.flatMap(({ said }) => said),
    },
  }
}

const priorOfTraining = { says: 2, receives: 1, covariance: 0 }

/** Fits feature weights on past evenings, to predict people whose decisions the model hasn't seen. */
export function learnFeatures(pairs: readonly Pair[], penalty: number): Foretold {
  const raw = rowsOf(pairs)
  const scale = measureScale(raw, features)
  const penalties = new Float64Array(columns).fill(penalty).fill(0, 0, 2)
  const { decisions } = decisionsOf(pairs)
  const rows = withIntercept(toScale(raw, scale))
  const { weights } = fitDecisions({ ...decisions, rows, columns }, penalties, priorOfTraining)
  const logits = (pair: Pair) => {
    const wide = withIntercept(toScale(rowsOf([pair]), scale))
    const at = (from: number) => weights.reduce((sum, weight, column) => sum + weight * (wide[from + column] ?? 0), 0)
    return [at(0), at(columns)] as const
  }
  return remembered(logits)
}

function remembered(foretell: Foretold): Foretold {
  const known = new Map<Pair, readonly [number, number]>()
  return (pair) => {
    const logits = known.get(pair) ?? foretell(pair)
    known.set(pair, logits)
    return logits
  }
}

/** Adds each person's two effects, fitted on one evening's visible pairs. */
export function watch(visible: readonly Pair[], expected: Foretold, prior: Omit<EffectsPrior, 'intercept'>): Foretold {
  const { places, decisions } = decisionsOf(visible)
  const offsets = visible.flatMap((pair) => [...expected(pair)])
  const { intercept, says, receives } = fitEffects({ ...decisions, offsets }, { ...prior, intercept: 0 })
  const effect = (list: Float64Array, person: number) => list[places.get(person) ?? -1] ?? 0
  return (pair) => {
    const [man, woman] = pair.people
    const [there, back] = expected(pair)
    return [
      intercept + there + effect(says, man.place) + effect(receives, woman.place),
      intercept + back + effect(says, woman.place) + effect(receives, man.place),
    ]
  }
}
