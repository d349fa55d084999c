import { expect, it } from 'vitest'
import { threadItems } from '../message/message-groups.ts'
import { message, mine } from '../talk.test-people.ts'
import { withLiked } from './liked-rows.ts'

const item = { kind: 'prompt', prompt: 'proud_of', answer: 'My bread' } as const
const between = { viewerId: 'me', peerId: 'maya', whole: true }
const kinds = (messages: Parameters<typeof threadItems>[0], liked: Parameters<typeof withLiked>[1], more = {}) =>
  withLiked(threadItems(messages, 'me'), liked, { ...between, ...more }).map(({ key }) => key)

it('begins the thread with what each of the two liked, theirs first', () => {
  expect(kinds([message(1)], { mine: item, theirs: item }).slice(0, 2)).toEqual(['liked theirs', 'liked mine'])
  expect(kinds([], { mine: null, theirs: item })).toEqual(['liked theirs'])
  expect(kinds([message(1)], undefined)).toHaveLength(2)
})

it('puts it before the words that came with the like, wherever those are', () => {
  const words = mine(2, { id: 'like-1767268800000-1' })
  const rows = withLiked(threadItems([message(1), words], 'me'), { mine: item, theirs: null }, between)
  expect(rows.map(({ kind }) => kind)).toEqual(['day', 'message', 'liked', 'message'])
})

it('takes no message of the other one for my words', () => {
  const words = message(1, { id: 'like-1767268800000-0' })
  const rows = withLiked(threadItems([words], 'me'), { mine: item, theirs: null }, between)
  expect(rows.map(({ kind }) => kind)).toEqual(['liked', 'day', 'message'])
})

it('waits for the beginning of the thread while older messages are missing', () => {
  const rows = withLiked(threadItems([message(40)], 'me'), { mine: item, theirs: item }, { ...between, whole: false })
  expect(rows.some(({ kind }) => kind === 'liked')).toBe(false)
})
