import type { QuestionAnswer } from '@duet/contract/questions.ts'
import { expect, it } from 'vitest'
import { nextOpen, whereToGoOn } from './order.ts'

const questions = ['a', 'b', 'c', 'd'].map((id) => ({ id, choices: ['x', 'y'] }))
const answersTo = (...ids: string[]): QuestionAnswer[] =>
  ids.map((question) => ({ question, choice: 'x', accepts: ['x'], importance: 'very' }))

it('asks in the order of the catalogue and passes over what is answered', () => {
  expect(nextOpen(questions, [])).toBe('a')
  expect(nextOpen(questions, answersTo('a', 'c'), 'b')).toBe('d')
})

it('ends behind the last question, whatever was skipped before', () => {
  expect(nextOpen(questions, answersTo('b'), 'd')).toBeUndefined()
})

it('goes on behind the last answer', () => expect(whereToGoOn(questions, answersTo('b'))).toBe('c'))

it('comes back to what was skipped once the end is reached', () => {
  expect(whereToGoOn(questions, answersTo('b', 'd'))).toBe('a')
  expect(whereToGoOn(questions, answersTo('a', 'b', 'c', 'd'))).toBeUndefined()
})
