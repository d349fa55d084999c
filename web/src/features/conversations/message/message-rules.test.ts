import { expect, it } from 'vitest'
import type { Message } from '../chat/conversation-list.ts'
import { actsOn, canChange } from './message-rules.ts'

const now = Date.parse('2026-05-01T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
const said = (senderId: string, minutes: number, more: Partial<Message> = {}) =>
  ({ id: 'm', message: 'Hi', senderId, receiverId: 'x', timestamp: minutesAgo(minutes), seq: 1, ...more }) as Message

it('lets a writer edit and delete a message for 15 minutes', () => {
  expect(canChange(said('me', 14.9), 'me', now)).toBe(true)
  expect(canChange(said('me', 15), 'me', now)).toBe(false)
  expect(canChange(said('maya', 1), 'me', now)).toBe(false)
})

it('offers on my own new message everything but blocking', () => {
  expect(actsOn(said('me', 1), 'me', now)).toEqual(['emoji', 'reply', 'copy', 'edit', 'delete'])
})

it('offers on an old one of mine what does not change it', () => {
  expect(actsOn(said('me', 20), 'me', now)).toEqual(['emoji', 'reply', 'copy'])
})

it('offers on one of theirs to report it and to block them', () => {
  expect(actsOn(said('maya', 1), 'me', now)).toEqual(['emoji', 'reply', 'copy', 'report', 'block'])
})

it('offers nothing to copy or edit where there are no words, and nothing on a deleted message', () => {
  expect(actsOn(said('me', 1, { message: '' }), 'me', now)).toEqual(['emoji', 'reply', 'delete'])
  expect(actsOn(said('me', 1, { message: '', deletedAt: minutesAgo(0) }), 'me', now)).toEqual([])
})

it('offers only to copy what is still on its way', () => {
  const { seq: _, ...waiting } = said('me', 0)
  expect(actsOn(waiting, 'me', now)).toEqual(['copy'])
})
