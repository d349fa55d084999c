import fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstQuick, rounds } from '../../../../tools/tier.ts'
import { seededRandom } from '../../platform/random.ts'
import { matchingConstants as constants } from './constants.ts'
import { type Contender, composeDeck, contendersOf } from './deck.ts'

const people = (kind: Contender['kind'], count: number, more: Partial<Contender> = {}): Contender[] =>
  Array.from({ length: count }, (_, place) => ({ id: `${kind}-${place}`, rank: -place, kind, ...more }))

const blocks = <T>(list: T[]) =>
  Array.from({ length: Math.ceil(list.length / 10) }, (_, block) => list.slice(block * 10, block * 10 + 10))

it('a block has one exploring slot and three for people who like the viewer', () => {
  const deck = composeDeck(
    [...people('regular', 90), ...people('received', 40), ...people('explore', 90)],
    seededRandom(1),
  )
  expect(deck).toHaveLength(constants.deckSize)
  for (const block of blocks(deck)) {
    expect(block.filter(({ kind }) => kind === 'explore')).toHaveLength(1)
    expect(block.filter(({ kind }) => kind === 'received')).toHaveLength(3)
  }
})

it('slots of a kind keep the order of rank', () => {
  const deck = composeDeck([...people('regular', 90), ...people('received', 40)], seededRandom(2))
  for (const kind of ['regular', 'received'] as const) {
    const own = deck.filter((slot) => slot.kind === kind).map(({ id }) => id)
    expect(own).toEqual(own.map((_, place) => `${kind}-${place}`))
  }
})

it('people who like the viewer can get any slot, so that the slot reveals nothing', () => {
  const places = new Array(10).fill(0)
  for (let seed = 0; seed < 2_000; seed++) {
    const deck = composeDeck([...people('regular', 20), ...people('received', 3)], seededRandom(seed), 10)
    for (const [place, { kind }] of deck.entries()) if (kind === 'received') places[place]++
  }
  for (const count of places) expect(Math.abs(count - 600)).toBeLessThan(90)
})

const regulars = (count: number) => people('regular', count, { topReason: 'interest' })
const explored = (owed: number, others: number) => [
  ...people('explore', owed, { isOwed: true }).map((one) => ({ ...one, id: `owed-${one.id}` })),
  ...people('explore', others),
]

const pools: [what: string, pool: ReturnType<typeof regulars>, size: number][] = [
  ['all kinds', [...regulars(5), ...people('received', 4), ...explored(1, 2)], 6],
  ['two blocks', [...regulars(9), ...people('received', 2), ...explored(1, 1)], 12],
  ['more slots than the best fill', [...regulars(1), ...people('received', 5), ...explored(2, 0)], 7],
  ['only people to explore', explored(2, 2), 3],
]
for (const { tags, cases } of firstQuick(1, pools))
  it.each(cases)(
    'with %s, the logged propensity of a slot is the exact probability given the slots before',
    { tags: [...tags, 'more-in-long'] },
    (_what, pool, size) => {
      const seeds = rounds(20_000, 100_000)
      const counts = new Map<string, number>()
      const logged = new Map<string, number>()
      let difference = 0
      for (let seed = 0; seed < seeds; seed++) {
        let [beginning, probability] = ['', 1]
        for (const { id, propensity } of composeDeck(pool, seededRandom(seed), size).slice(0, 4)) {
          beginning += `${id} `
          probability *= propensity
          counts.set(beginning, (counts.get(beginning) ?? 0) + 1)
          difference = Math.max(difference, Math.abs((logged.get(beginning) ?? probability) - probability))
          logged.set(beginning, probability)
        }
      }
      expect(difference).toBeLessThan(1e-12)
      const firsts = [...logged].filter(([beginning]) => beginning.split(' ').length === 2)
      expect(firsts.reduce((sum, [, probability]) => sum + probability, 0)).toBeCloseTo(1, 12)
      for (const [beginning, probability] of logged) {
        const error = Math.sqrt((probability * (1 - probability)) / seeds)
        expect(Math.abs((counts.get(beginning) ?? 0) / seeds - probability)).toBeLessThanOrEqual(5 * error + 1 / seeds)
      }
    },
  )

it('newcomers who are owed impressions get their share of the exploring slots', () => {
  const pool = [...people('regular', 20), ...explored(2, 4)]
  const owed = Array.from({ length: 4_000 }, (_, seed) =>
    composeDeck(pool, seededRandom(seed), 10).some(({ id }) => id.startsWith('owed')),
  ).filter(Boolean).length
  expect(Math.abs(owed / 4_000 - constants.newcomerShare)).toBeLessThan(0.03)
})

it('a deck shows nobody twice, and everyone if few are left', () => {
  const counts = fc.tuple(fc.nat(60), fc.nat(20), fc.nat(60), fc.nat(1000))
  fc.assert(
    fc.property(counts, ([regular, received, pool, seed]) => {
      const contenders = [...people('regular', regular), ...people('received', received), ...people('explore', pool)]
      const deck = composeDeck(contenders, seededRandom(seed))
      expect(deck).toHaveLength(Math.min(50, contenders.length))
      expect(new Set(deck.map(({ id }) => id)).size).toBe(deck.length)
      for (const { propensity } of deck) {
        expect(propensity).toBeGreaterThan(0)
        expect(propensity).toBeLessThanOrEqual(1)
      }
      expect(composeDeck(contenders, seededRandom(seed))).toEqual(deck)
    }),
  )
})

it('a deck never has the same first reason three times in a row if there is another', () => {
  const contenders = people('regular', 30).map((one, place) => ({
    ...one,
    topReason: place < 20 ? 'interest' : 'intent',
  }))
  const deck = composeDeck(contenders, seededRandom(3), 30)
  const reasons = deck.map(({ id }) => contenders.find((one) => one.id === id)?.topReason)
  for (let place = 2; place < 28; place++) {
    if (reasons[place] === reasons[place - 1] && reasons[place] === reasons[place - 2])
      expect(reasons.slice(place).every((reason) => reason === reasons[place])).toBe(true)
  }
})

it('candidates are divided into people who like the viewer, the best, and people to explore', () => {
  const candidate = (place: number, more = {}) => ({
    id: `${place}`,
    rank: -place,
    likesViewer: false,
    isNew: false,
    impressions: 0,
    ...more,
  })
  const contenders = contendersOf(
    [
      candidate(4, { isNew: true, impressions: constants.newcomerImpressions }),
      candidate(3, { isNew: true }),
      candidate(2, { likesViewer: true }),
      candidate(1, { isNew: true }),
      candidate(0),
    ],
    ({ id }) => `reason ${id}`,
    2,
  )
  expect(contenders.map(({ id, kind, isOwed, topReason }) => [id, kind, isOwed, topReason])).toEqual([
    ['0', 'regular', undefined, 'reason 0'],
    ['1', 'regular', undefined, 'reason 1'],
    ['2', 'received', undefined, 'reason 2'],
    ['3', 'explore', true, undefined],
    ['4', 'explore', false, undefined],
  ])
})
