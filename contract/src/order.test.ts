import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ascending, by, byName, descending, type Order } from './order.ts'

interface Row {
  name: string
  rank: number
  isNew: boolean
}
// Only a few values, so that ties are frequent.
const row: fc.Arbitrary<Row> = fc.record({
  name: fc.constantFrom('a', 'b', 'B', 'ä', 'z', ''),
  rank: fc.constantFrom(Number.NEGATIVE_INFINITY, -0.5, -0, 0, 2, 10, Number.POSITIVE_INFINITY),
  isNew: fc.boolean(),
})
const orders: Record<string, Order<Row>> = {
  'one key': by(({ rank }) => rank),
  'several keys': by(
    ({ isNew }) => isNew,
    ({ rank }) => -rank,
    ({ name }) => name,
  ),
  descending: descending(by(({ name }) => name)),
  'names in a language': byName('es', ({ name }) => name),
}

describe.each(Object.entries(orders))('by %s', (_, order) => {
  it('is a strict weak order', () => {
    const sign = (one: Row, other: Row) => Math.sign(order(one, other)) + 0
    fc.assert(
      fc.property(row, row, row, (a, b, c) => {
        expect(sign(a, a)).toBe(0)
        expect(sign(a, b)).toBe(-sign(b, a) + 0)
        if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBe(Math.min(sign(a, b), sign(b, c)))
      }),
    )
  })
})

it('a later key decides only between items whose earlier keys are equal', () => {
  const items = [
    { id: 'b', rank: 1 },
    { id: 'a', rank: 1 },
    { id: 'c', rank: 2 },
  ]
  const order = by<(typeof items)[number]>(
    ({ rank }) => -rank,
    ({ id }) => id,
  )
  expect(items.toSorted(order).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
})

it('names sort as their language reads them, numbers by value, and booleans with false first', () => {
  expect(['z', 'ä', 'a'].sort(byName('de', (name) => name))).toEqual(['a', 'ä', 'z'])
  expect([10, 9, -1].sort(ascending)).toEqual([-1, 9, 10])
  expect([10, 9, -1].sort(descending(ascending))).toEqual([10, 9, -1])
  expect([true, false].sort(by((value) => value))).toEqual([false, true])
})
