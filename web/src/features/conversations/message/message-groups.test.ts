import { expect, it } from 'vitest'
import type { Message } from '../chat/conversation-list.ts'
import { threadItems } from './message-groups.ts'

function message(seq: number, minute: number, senderId = 'maya', day = 1): Message {
  const timestamp = new Date(2026, 0, day, 12, minute).toISOString()
  const ids = { id: `m${seq}`, senderId, receiverId: 'me', conversationId: 'maya' }
  return { ...ids, message: 'text', timestamp, status: 'sent', seq }
}
const shape = (messages: Message[], newFromSeq?: number) =>
  threadItems(messages, 'me', newFromSeq).map((item) =>
    item.kind === 'message' ? `${item.message.id}${item.first ? ' first' : ''}${item.last ? ' last' : ''}` : item.kind,
  )

it('Messages from one person within five minutes form a group', () => {
  expect(shape([message(1, 0), message(2, 4), message(3, 10)])).toEqual(['day', 'm1 first', 'm2 last', 'm3 first last'])
})

it('A message from the other person ends a group', () => {
  expect(shape([message(1, 0), message(2, 1, 'me'), message(3, 2)]).slice(1)).toEqual([
    'm1 first last',
    'm2 first last',
    'm3 first last',
  ])
})

it('A new day starts with a separator', () => {
  expect(shape([message(1, 0), message(2, 1, 'maya', 2)])).toEqual(['day', 'm1 first last', 'day', 'm2 first last'])
})

it('The unread divider comes before the first unread message and splits its group', () => {
  expect(shape([message(1, 0), message(2, 1), message(3, 2)], 2)).toEqual([
    'day',
    'm1 first last',
    'new',
    'm2 first',
    'm3 last',
  ])
})

it('Each day has one separator, even if the clocks of the two differ around midnight', () => {
  const midnight = [message(1, 0), message(2, 0, 'me', 2), message(3, 1), message(4, 1, 'me', 2)]
  const items = threadItems(midnight, 'me')
  expect(items.map(({ kind }) => kind)).toEqual(['day', 'message', 'day', 'message', 'message', 'message'])
  expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
})

it('Messages with the same id from two people have different keys', () => {
  const items = threadItems([message(1, 0), { ...message(2, 1, 'me'), id: 'm1' }], 'me')
  expect(new Set(items.map(({ key }) => key)).size).toBe(3)
})
