import { drawBelow, seededRandom } from '../../../server/src/features/matching/random.ts'
import type { Evenings, Pair } from './evenings.ts'

/** How much of an evening is visible: a share of its pairs, drawn, or the first ones by the clock. */
export interface Regime {
  name: string
  visible: number
  byTime: boolean
  /** One drawing of the visible pairs each; a number is a seed. */
  masks: readonly number[]
}

export const regimes = {
  half: { name: '50 % visible (about 8 decisions)', visible: 0.5, byTime: false, masks: [1, 2, 3] },
  fifth: { name: '20 % visible (about 3 decisions)', visible: 0.2, byTime: false, masks: [1, 2, 3] },
  first: { name: 'the first half by the clock visible', visible: 0.5, byTime: true, masks: [1] },
} satisfies Record<string, Regime>

/** Whole evenings in groups of about the same number of pairs: whoever is tested was never learned from. */
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

/** The pairs of one evening, parted into the visible ones and those to foretell. */
export function mask(pairs: readonly Pair[], wave: number, regime: Regime, seed: number) {
  const random = seededRandom(seed * 1000 + wave)
  const drawn = pairs.filter((pair) => pair.wave === wave).map((pair) => ({ pair, draw: random() }))
  const list = drawn
    .sort((one, other) => (regime.byTime ? one.pair.order - other.pair.order : 0) || one.draw - other.draw)
    .map(({ pair }) => pair)
  const visible = Math.round(list.length * regime.visible)
  return { visible: list.slice(0, visible), hidden: list.slice(visible) }
}

/** The same evenings with the decisions dealt out anew among the pairs of each: whatever is still found is a leak. */
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
