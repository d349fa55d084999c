import { expect, it } from 'vitest'
import { drawNormal, seededRandom } from '../../platform/random.ts'
import { type Cases, fitRidge, sigmoid, solve } from './ridge.ts'

function drawn(truth: readonly number[], count: number, seed: number): Cases & { labels: number[] } {
  const random = seededRandom(seed)
  const columns = truth.length
  const rows = Float64Array.from({ length: count * columns }, (_, place) =>
    place % columns === 0 ? 1 : drawNormal(random),
  )
  const labels = Array.from({ length: count }, (_, place) => {
    const z = truth.reduce((sum, weight, column) => sum + weight * (rows[place * columns + column] ?? 0), 0)
    return random() < sigmoid(z) ? 1 : 0
  })
  return { rows, columns, labels }
}

it('solve finds the solution of a symmetric system', () => {
  const solved = solve(Float64Array.of(4, 2, 2, 2, 5, 3, 2, 3, 6), Float64Array.of(14, 21, 26))
  for (const [place, value] of [1, 2, 3].entries()) expect(solved[place]).toBeCloseTo(value, 9)
})

it('fitting recovers the weights that generated the labels', () => {
  const truth = [-1, 0.8, -0.5, 0]
  const found = fitRidge(drawn(truth, 20_000, 1), [0, 1, 1, 1])
  for (const [column, weight] of truth.entries()) expect(Math.abs((found[column] ?? 9) - weight)).toBeLessThan(0.06)
})

it('a larger penalty leaves smaller weights, and finally only the intercept', () => {
  const cases = drawn([0.4, 1, -1], 500, 2)
  const sizes = [1, 30, 1000].map((penalty) => {
    const [, one = 0, other = 0] = fitRidge(cases, [0, penalty, penalty])
    return Math.hypot(one, other)
  })
  expect(sizes[1]).toBeLessThan(sizes[0] ?? 0)
  expect(sizes[2]).toBeLessThan((sizes[1] ?? 0) / 2)
  const [intercept = 0] = fitRidge(cases, [0, 1e9, 1e9])
  const share = cases.labels.reduce((sum, label) => sum + label, 0) / 500
  expect(sigmoid(intercept)).toBeCloseTo(share, 6)
})

it('weights stay finite if a line separates all labels', () => {
  const rows = Float64Array.from({ length: 200 }, (_, place) => (place % 2 ? place - 100 : 1))
  const labels = Array.from({ length: 100 }, (_, place) => (place * 2 + 1 > 100 ? 1 : 0))
  const weights = fitRidge({ rows, columns: 2, labels }, [0, 0.01])
  expect(weights.every(Number.isFinite)).toBe(true)
  expect(weights[1]).toBeGreaterThan(0)
})

it('fitting with offsets learns only the rest', () => {
  const cases = drawn([0.5, 1], 4_000, 3)
  const whole = fitRidge(cases, [0, 0])
  const offsets = cases.labels.map((_, place) => (whole[1] ?? 0) * (cases.rows[place * 2 + 1] ?? 0))
  const rest = fitRidge({ ...cases, offsets }, [0, 0])
  expect(rest[0]).toBeCloseTo(whole[0] ?? 9, 5)
  expect(rest[1]).toBeCloseTo(0, 5)
})

it('ridge regression is deterministic', () => {
  expect(fitRidge(drawn([0, 1], 300, 4), [0, 1])).toEqual(fitRidge(drawn([0, 1], 300, 4), [0, 1]))
})
