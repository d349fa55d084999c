import { expect, it } from 'vitest'
import { threadItems } from '../message/message-groups.ts'
import { message, mine } from '../talk.test-people.ts'
import { withLiked } from './liked-rows.ts'

const item = { kind: 'prompt', prompt: 'proud_of', answer: 'My bread' } as const
const between = { viewerId: 'me', peerId: 'maya', whole: true }
const kinds = (messages: Parameters<typeof threadItems>[0], liked: Parameters<typeof withLiked>[1], more = {}) =>
  withLiked(threadItems(messages, 'me'), liked, { ...between, ...more }).map(({ key }) => key)

it('A thread starts with what each person liked, theirs first', () => {
  expect(kinds([message(1)], { mine: item, theirs: item }).slice(0, 2)).toEqual(['liked theirs', 'liked mine'])
  expect(kinds([], { mine: null, theirs: item })).toEqual(['liked theirs'])
  expect(kinds([message(1)], undefined)).toHaveLength(2)
})

it('The liked item comes before the message that was sent with the like', () => {
  const words = mine(2, { id: 'like-1767268800000-1' })
  const rows = withLiked(threadItems([message(1), words], 'me'), { mine: item, theirs: null }, between)
  expect(rows.map(({ kind }) => kind)).toEqual(['day', 'message', 'liked', 'message'])
})

it('A message from the other person isn’t taken for my like’s comment', () => {
  const words = message(1, { id: 'like-1767268800000-0' })
  const rows = withLiked(threadItems([words], 'me'), { mine: item, theirs: null }, between)
  expect(rows.map(({ kind }) => kind)).toEqual(['liked', 'day', 'message'])
})

it('Liked items wait until the start of the thread is loaded', () => {
  const rows = withLiked(threadItems([message(40)], 'me'), { mine: item, theirs: item }, { ...between, whole: false })
  expect(rows.some(({ kind }) => kind === 'liked')).toBe(false)
})
