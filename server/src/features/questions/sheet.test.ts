import { importances, questionCatalogue } from '@duet/contract/question-catalogue.ts'
import type { QuestionAnswer } from '@duet/contract/questions.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSheet, writeSheet } from './sheet.ts'

const answerTo = ({ id, choices }: (typeof questionCatalogue)[number]): fc.Arbitrary<QuestionAnswer> =>
  fc.record({
    question: fc.constant(id),
    choice: fc.constantFrom<string>(...choices),
    accepts: fc.subarray<string>([...choices]),
    importance: fc.constantFrom(...importances),
  })
const answers = fc.subarray([...questionCatalogue]).chain((some) => fc.tuple(...some.map(answerTo)))

it('a sheet reads back any written answers', () => {
  fc.assert(
    fc.property(answers, (some) => {
      expect(readSheet(writeSheet(some))).toEqual(some)
    }),
  )
})

it('a sheet is only as long as its last answer needs', () => {
  fc.assert(
    fc.property(answers, (some) => {
      const last = questionCatalogue.findLastIndex(({ id }) => some.some(({ question }) => question === id))
      expect(writeSheet(some).length).toBe((last + 1) * 2)
    }),
  )
})

it('any bytes can be read without inventing answers', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1024 }), (bytes) => {
      for (const { question, choice, accepts, importance } of readSheet(bytes)) {
        const choices: readonly string[] = questionCatalogue.find(({ id }) => id === question)?.choices ?? []
        expect(choices).toContain(choice)
        expect(choices).toEqual(expect.arrayContaining(accepts))
        expect(importances).toContain(importance)
      }
    }),
  )
})

it('an entry holds the choice, its importance and the accepted choices in two bytes', () => {
  const [, second] = questionCatalogue
  const [first, , third] = second.choices
  const answer: QuestionAnswer = { question: second.id, choice: third, accepts: [first, third], importance: 'somewhat' }
  expect([...writeSheet([answer])]).toEqual([0, 0, 0x23, 0b101])
})

it('unknown questions and choices are left out', () => {
  expect(writeSheet([{ question: 'nothing', choice: 'x', accepts: [], importance: 'very' }]).length).toBe(0)
  expect(readSheet(Uint8Array.of(7, 1, 0x53, 1))).toEqual([])
  expect(readSheet(new Uint8Array(1024).fill(1)).length).toBe(questionCatalogue.length)
})

it('each question has a unique name and two to four choices', () => {
  expect(questionCatalogue.length).toBeGreaterThanOrEqual(64)
  expect(new Set(questionCatalogue.map(({ id }) => id)).size).toBe(questionCatalogue.length)
  for (const { choices } of questionCatalogue) {
    expect(new Set(choices).size).toBe(choices.length)
    expect(choices.length).toBeGreaterThanOrEqual(2)
    expect(choices.length).toBeLessThanOrEqual(4)
  }
})
