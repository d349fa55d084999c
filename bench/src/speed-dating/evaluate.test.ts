import { expect, it } from 'vitest'
import { areaUnderCurve } from '../../../server/src/features/matching/metrics.ts'
import { type Random, seededRandom } from '../../../server/src/platform/random.ts'
import { calibration, evaluate, type Foretelling } from './evaluate.ts'
import type { Dater, Pair } from './evenings.ts'

const person = (place: number) => ({ place }) as Dater
const waves = [1, 2, 3, 4, 5, 6]
const foretellings = drawForetellings(seededRandom(3))

function drawForetellings(random: Random): Foretelling[] {
  const drawOne = (wave: number, order: number): Foretelling => {
    const chance = random()
    const match = random() < chance ? 1 : 0
    const people = [person(wave * 100 + (order % 6)), person(wave * 100 + 50 + (order % 10))] as const
    const pair: Pair = { people, match, wave, said: [match, match], cards: [[], []], order, interestCorrelation: 0 }
    const scores = { knowing: chance, rounded: Math.round(chance * 5) / 5, guessing: random() }
    return { pair, mask: 1, scores, probabilities: scores }
  }
  return waves.flatMap((wave) => Array.from({ length: 60 }, (_, order) => drawOne(wave, order)))
}

it('the measured area under the curve counts ties as half', () => {
  const { standing } = evaluate(foretellings, waves, 20)
  const labels = foretellings.map(({ pair }) => pair.match)
  for (const model of ['knowing', 'rounded', 'guessing']) {
    const scores = foretellings.map((one) => one.scores[model]!)
    expect(standing(model).measured.auc).toBeCloseTo(areaUnderCurve(labels, scores), 12)
  }
})

it('a comparison uses the same samples of evenings for both models', () => {
  const { difference } = evaluate(foretellings, waves, 200)
  expect(difference('knowing', 'knowing', 'auc')).toEqual({ value: 0, interval: [0, 0] })
  const { value, interval } = difference('knowing', 'guessing', 'viewerAuc')
  expect(value).toBeGreaterThan(0.1)
  expect(interval[0]).toBeGreaterThan(0)
  expect(interval[1]).toBeLessThan(1)
})

it("calibration finds no gap if predictions come true, and the largest if they don't", () => {
  expect(calibration(foretellings, 'knowing').gap).toBeLessThan(0.25)
  const never = foretellings.map((one) => ({ ...one, scores: { never: 0 } }))
  expect(calibration(never, 'never').gap).toBeGreaterThan(0.4)
})
