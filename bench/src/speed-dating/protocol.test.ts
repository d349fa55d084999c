import { expect, it } from 'vitest'
import type { Evenings, Pair } from './evenings.ts'
import { foldWaves, mask, regimes, shuffled } from './protocol.ts'

const pairs = Array.from({ length: 210 }, (_, place): Pair => {
  const yes = place % 4 === 0 ? 1 : 0
  return {
    people: [] as never,
    said: [yes, yes],
    match: yes,
    cards: [[], []],
    wave: place % 21,
    order: place,
    interestCorrelation: 0,
  }
})
const waves = Array.from({ length: 21 }, (_, wave) => wave)

it('every evening is tested once, in groups of the same size', () => {
  const folds = foldWaves(pairs, waves, 7)
  expect(folds.flat().sort((one, other) => one - other)).toEqual(waves)
  expect(folds.map((fold) => fold.length)).toEqual(new Array(7).fill(3))
})

it('every pair of an evening is either visible or predicted', () => {
  for (const regime of Object.values(regimes)) {
    const { visible, hidden } = mask(pairs, 4, regime, 1)
    expect(visible).toHaveLength(Math.round(10 * regime.visible))
    expect(new Set([...visible, ...hidden]).size).toBe(10)
  }
})

it('the regime `first` shows the earliest meetings', () => {
  const { visible, hidden } = mask(pairs, 4, regimes.first, 1)
  expect(Math.max(...visible.map(({ order }) => order))).toBeLessThan(Math.min(...hidden.map(({ order }) => order)))
})

it('shuffling moves decisions only within an evening', () => {
  const evenings: Evenings = { sha256: '', people: [], pairs, waves }
  const dealt = shuffled(evenings, 1)
  const matches = (of: Pair[], wave: number) => of.filter((pair) => pair.wave === wave && pair.match === 1).length
  for (const wave of waves) expect(matches(dealt.pairs, wave)).toBe(matches(pairs, wave))
  expect(dealt.pairs.map(({ match }) => match)).not.toEqual(pairs.map(({ match }) => match))
  expect(shuffled(evenings, 1)).toEqual(dealt)
})
