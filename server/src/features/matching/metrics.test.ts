import fc from 'fast-check'
import { expect, it } from 'vitest'
import { areaUnderCurve, gini, logLoss, perViewerAuc, precisionAtOne } from './metrics.ts'

const labelled = fc.array(fc.record({ label: fc.constantFrom(0, 1), score: fc.integer({ min: 0, max: 9 }) }))

it('the area under the curve counts correctly ordered pairs, ties half', () => {
  fc.assert(
    fc.property(labelled, (cases) => {
      const labels = cases.map(({ label }) => label)
      const scores = cases.map(({ score }) => score)
      const pairs = cases.flatMap((yes) =>
        yes.label ? cases.flatMap((no) => (no.label ? [] : [Math.sign(yes.score - no.score)])) : [],
      )
      const expected = pairs.reduce((sum, order) => sum + (order + 1) / 2, 0) / pairs.length
      const area = areaUnderCurve(labels, scores)
      if (pairs.length === 0) expect(area).toBeNaN()
      else expect(area).toBeCloseTo(expected, 10)
    }),
  )
})

it('the log loss of a certain mistake is finite', () => {
  expect(logLoss([1, 0], [0.5, 0.5])).toBeCloseTo(Math.LN2)
  expect(logLoss([1], [0])).toBeCloseTo(-Math.log(1e-4))
})

it('the per-viewer AUC weighs viewers equally and leaves out those with one kind of answer', () => {
  const viewers = [
    { labels: [1, 0], scores: [2, 1] },
    { labels: [1, 0, 0, 0], scores: [0, 1, 1, 1] },
    { labels: [0, 0], scores: [1, 2] },
  ]
  expect(perViewerAuc(viewers)).toBe(0.5)
})

it('precision at one looks only at the first place of viewers who were shown enough people', () => {
  const right = { labels: [0, 1, 0], scores: [1, 3, 2] }
  const wrong = { labels: [1, 0, 0], scores: [1, 3, 2] }
  const short = { labels: [0], scores: [1] }
  expect(precisionAtOne([right, wrong, right, short], 3)).toBeCloseTo(2 / 3)
})

it('the Gini coefficient distinguishes sharing from hoarding', () => {
  expect(gini([3, 3, 3])).toBeCloseTo(0)
  expect(gini([0, 0, 0, 8])).toBeCloseTo(0.75)
  expect(gini([])).toBe(0)
  expect(gini([0, 0])).toBe(0)
})
