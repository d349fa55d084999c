import { expect, it } from 'vitest'
import type { Message } from '../chat/conversation-list.ts'
import { actsOn, canChange } from './message-rules.ts'

const now = Date.parse('2026-05-01T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
const said = (senderId: string, minutes: number, more: Partial<Message> = {}) =>
  ({ id: 'm', message: 'Hi', senderId, receiverId: 'x', timestamp: minutesAgo(minutes), seq: 1, ...more }) as Message

it('An author can edit and delete a message for 15 minutes', () => {
  expect(canChange(said('me', 14.9), 'me', now)).toBe(true)
  expect(canChange(said('me', 15), 'me', now)).toBe(false)
  expect(canChange(said('maya', 1), 'me', now)).toBe(false)
})

it('A new message of mine offers everything except reporting and blocking', () => {
  expect(actsOn(said('me', 1), 'me', now)).toEqual(['emoji', 'reply', 'copy', 'edit', 'delete'])
})

it('An old message of mine can’t be edited or deleted', () => {
  expect(actsOn(said('me', 20), 'me', now)).toEqual(['emoji', 'reply', 'copy'])
})

it('A message from someone else can be reported, and its author blocked', () => {
  expect(actsOn(said('maya', 1), 'me', now)).toEqual(['emoji', 'reply', 'copy', 'report', 'block'])
})

it('A message without text can’t be copied or edited, and a deleted message of mine offers nothing', () => {
  expect(actsOn(said('me', 1, { message: '' }), 'me', now)).toEqual(['emoji', 'reply', 'delete'])
  expect(actsOn(said('me', 1, { message: '', deletedAt: minutesAgo(0) }), 'me', now)).toEqual([])
})

it('A message that hasn’t been sent yet can only be copied', () => {
  const { seq: _, ...waiting } = said('me', 0)
  expect(actsOn(waiting, 'me', now)).toEqual(['copy'])
})
