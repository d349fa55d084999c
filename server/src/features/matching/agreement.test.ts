import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agreementOf } from './agreement.ts'

/** Each answer is [choice counted from 1, importance, mask of accepted choices]. */
const sheet = (...answers: [number, number, number][]) =>
  Uint8Array.from(answers.flatMap(([choice, importance, mask]) => [choice | (importance << 4), mask]))
const anySheet = fc
  .array(fc.tuple(fc.nat(7), fc.nat(3), fc.nat(127)), { maxLength: 70 })
  .map((answers) => sheet(...answers))

it("agreement counts the questions both answered, and those where each accepts the other's answer", () => {
  const one = sheet([1, 2, 0b001], [2, 2, 0b010], [1, 2, 0b001], [0, 0, 0])
  const other = sheet([1, 2, 0b001], [1, 2, 0b010], [0, 0, 0], [1, 3, 0b001], [1, 1, 1])
  expect(agreementOf(one, other)).toMatchObject({ asked: 2, agreed: 1 })
})

it("every answer is accepted if the question doesn't matter", () => {
  expect(agreementOf(sheet([1, 0, 0]), sheet([3, 0, 0]))).toEqual({ share: 0.5, agreed: 1, asked: 1 })
})

it('agreement trusts many questions more than few, and important ones more than others', () => {
  const same = (count: number, importance: number) => {
    const answers = sheet(...Array.from({ length: count }, (): [number, number, number] => [1, importance, 1]))
    return agreementOf(answers, answers).share
  }
  expect(same(0, 3)).toBe(0.5)
  expect(same(1, 1)).toBeGreaterThan(0.5)
  expect(same(1, 3)).toBeGreaterThan(same(1, 1))
  expect(same(20, 3)).toBeGreaterThan(same(1, 3))
  expect(same(20, 3)).toBeGreaterThan(0.97)
})

it("someone who accepts everything doesn't make up for someone who accepts nothing", () => {
  const easy = sheet(...Array.from({ length: 20 }, (): [number, number, number] => [1, 3, 0b111]))
  const strict = sheet(...Array.from({ length: 20 }, (): [number, number, number] => [2, 3, 0b010]))
  expect(agreementOf(easy, strict).share).toBeLessThan(0.2)
})

it('agreement is symmetric and within bounds for any two sheets', () => {
  fc.assert(
    fc.property(anySheet, anySheet, (one, other) => {
      const there = agreementOf(one, other)
      expect(agreementOf(other, one)).toEqual(there)
      expect(there.share).toBeGreaterThanOrEqual(0)
      expect(there.share).toBeLessThanOrEqual(1)
      expect(there.agreed).toBeLessThanOrEqual(there.asked)
    }),
  )
})
