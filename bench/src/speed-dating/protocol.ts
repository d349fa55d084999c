import { drawBelow, seededRandom } from '../../../server/src/platform/random.ts'
import type { Evenings, Pair } from './evenings.ts'

/** How much of an evening is visible: a random share of its pairs, or the first pairs that met. */
export interface Regime {
  name: string
  visible: number
  byTime: boolean
  masks: readonly number[]
}

export const drawn = (visible: number, masks = 20): Regime => ({
  name: `${Math.round(visible * 100)} % visible (about ${Math.round(visible * 15.2)} decisions)`,
  visible,
  byTime: false,
  masks: Array.from({ length: masks }, (_, place) => place + 1),
})

export const regimes = {
  half: drawn(0.5),
  fifth: drawn(0.2),
  first: { name: 'the first half by the clock visible', visible: 0.5, byTime: true, masks: [1] },
} satisfies Record<string, Regime>

/** Groups whole evenings into folds of similar size, so that nobody is in both training and test. */
export function foldWaves(pairs: readonly Pair[], waves: readonly number[], count: number): number[][] {
  const size = new Map(waves.map((wave) => [wave, pairs.filter((pair) => pair.wave === wave).length]))
  const sizeOf = (fold: number[]) => fold.reduce((sum, wave) => sum + (size.get(wave) ?? 0), 0)
  const folds: number[][] = Array.from({ length: count }, () => [])
  for (const wave of [...waves].sort((one, other) => (size.get(other) ?? 0) - (size.get(one) ?? 0))) {
    const smallest = folds.reduce((best, fold) => (sizeOf(fold) < sizeOf(best) ? fold : best))
    smallest.push(wave)
  }
  return folds
}

export function mask(pairs: readonly Pair[], wave: number, regime: Regime, seed: number) {
  const random = seededRandom(seed * 1000 + wave)
  const drawn = pairs.filter((pair) => pair.wave === wave).map((pair) => ({ pair, draw: random() }))
  const list = drawn
    .sort((one, other) => (regime.byTime ? one.pair.order - other.pair.order : 0) || one.draw - other.draw)
    .map(({ pair }) => pair)
  const visible = Math.round(list.length * regime.visible)
  return { visible: list.slice(0, visible), hidden: list.slice(visible) }
}

/** Shuffles the decisions among the pairs of each evening, so that any remaining signal is a leak. */
export function shuffled(evenings: Evenings, seed: number): Evenings {
  const random = seededRandom(seed)
  const pairs = evenings.pairs.map((pair) => ({ ...pair }))
  for (const wave of evenings.waves) {
    const list = pairs.filter((pair) => pair.wave === wave)
    for (let last = list.length - 1; last > 0; last--) {
      const [one, other] = [list[last], list[drawBelow(random, last + 1)]]
      if (!one || !other) continue
      const { said, match } = one
      Object.assign(one, { said: other.said, match: other.match })
      Object.assign(other, { said, match })
    }
  }
  return { ...evenings, pairs }
}
