import type { QuestionAnswer } from '@duet/contract/questions.ts'
import { expect, it } from 'vitest'
import { nextOpen, progressByTopic, topicAfter, topicToGoOn, whereToGoOn } from './order.ts'

const topicOf = { a: 'love', b: 'home', c: 'love', d: 'home' } as const
const questions = (['a', 'b', 'c', 'd'] as const).map((id) => ({ id, topic: topicOf[id], choices: ['x', 'y'] }))
const answersTo = (...ids: string[]): QuestionAnswer[] =>
  ids.map((question) => ({ question, choice: 'x', accepts: ['x'], importance: 'very' }))

it('nextOpen follows the catalogue and skips answered questions', () => {
  expect(nextOpen(questions, [])).toBe('a')
  expect(nextOpen(questions, answersTo('a', 'c'), 'b')).toBe('d')
})

it('nextOpen ends after the last question, even if earlier ones were skipped', () => {
  expect(nextOpen(questions, answersTo('b'), 'd')).toBeUndefined()
})

it('whereToGoOn continues after the last answer', () => expect(whereToGoOn(questions, answersTo('b'))).toBe('c'))

it('whereToGoOn returns to skipped questions once the end is reached', () => {
  expect(whereToGoOn(questions, answersTo('b', 'd'))).toBe('a')
  expect(whereToGoOn(questions, answersTo('a', 'b', 'c', 'd'))).toBeUndefined()
})

const order = ['love', 'values', 'home'] as const
const topicsWith = (...ids: string[]) => progressByTopic(order, questions, answersTo(...ids))

it('progressByTopic counts answers in the order of the topics and leaves out empty ones', () => {
  expect(topicsWith('a', 'c', 'd').map(({ questions: asked, ...rest }) => ({ ...rest, total: asked.length }))).toEqual([
    { topic: 'love', answered: 2, total: 2, next: undefined },
    { topic: 'home', answered: 1, total: 2, next: 'b' },
  ])
})

it('topicToGoOn picks the unfinished topic with the most progress', () => {
  expect(topicToGoOn(topicsWith())?.topic).toBe('love')
  expect(topicToGoOn(topicsWith('b'))?.topic).toBe('home')
  expect(topicToGoOn(topicsWith('a', 'c', 'b'))?.topic).toBe('home')
  expect(topicToGoOn(topicsWith('a', 'b', 'c', 'd'))).toBeUndefined()
})

it('topicAfter finds the next topic with open questions, wrapping around', () => {
  expect(topicAfter(topicsWith(), 'love')?.topic).toBe('home')
  expect(topicAfter(topicsWith('a'), 'home')?.topic).toBe('love')
  expect(topicAfter(topicsWith('a', 'c'), 'home')).toBeUndefined()
})
