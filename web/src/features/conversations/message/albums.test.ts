import { expect, it } from 'vitest'
import type { PhotoAttachment } from '../attachments/attachments.api.ts'
import type { Message } from '../chat/conversation-list.ts'
import { messagesOf, withAlbums } from './albums.ts'
import { threadItems } from './message-groups.ts'

const attachment = { kind: 'photo', id: 'p', url: '/m', width: 4, height: 3, blurhash: '', veiled: false } as const
const noon = (second: number, day = 1) => new Date(2026, 0, day, 12, 0, second).toISOString()

function photo(seq: number, second: number, changes: Partial<Message> = {}): Message {
  const ids = { id: `m${seq}`, senderId: 'maya', receiverId: 'me', conversationId: 'maya' }
  const said = { message: '', timestamp: noon(second), status: 'sent' as const, seq }
  return { ...ids, ...said, attachment: attachment satisfies PhotoAttachment, ...changes }
}
const text = (seq: number, second: number) => {
  const { attachment: _, ...said } = photo(seq, second, { message: 'text' })
  return said
}
const run = (count: number, from = 1) => Array.from({ length: count }, (_, index) => photo(from + index, index))

function rows(messages: Message[], { newFromSeq, starts = [] }: { newFromSeq?: number; starts?: string[] } = {}) {
  const all = withAlbums(threadItems(messages, 'me', newFromSeq), new Set(starts))
  return all.map((row) => {
    const own = messagesOf(row).map(({ message }) => message.seq ?? message.id)
    return own.length > 0 ? own.join(' ') : row.kind
  })
}

it('Photos that one person sent together form an album', () => {
  expect(rows([text(1, 0), photo(2, 1), photo(3, 2), photo(4, 12), text(5, 13)])).toEqual(['day', '1', '2 3 4', '5'])
})

it('A photo without neighbouring photos isn’t in an album', () => {
  expect(rows([photo(1, 0), text(2, 1), photo(3, 2)])).toEqual(['day', '1', '2', '3'])
})

it('An album has at most six photos', () => {
  expect(rows(run(8))).toEqual(['day', '1 2 3 4 5 6', '7 8'])
})

it('Photos sent more than ten seconds apart aren’t in one album', () => {
  expect(rows([photo(1, 0), photo(2, 11)])).toEqual(['day', '1', '2'])
})

it('Photos from two people aren’t in one album', () => {
  expect(rows([photo(1, 0), photo(2, 1, { senderId: 'me', receiverId: 'maya' })])).toEqual(['day', '1', '2'])
})

it('An album ends with a text and starts with a reply', () => {
  const replyTo = { seq: 1, senderId: 'me', message: 'Show me', kind: 'text' as const }
  expect(rows([photo(1, 0), photo(2, 1, { message: 'The view' }), photo(3, 2), photo(4, 3)])).toEqual([
    'day',
    '1 2',
    '3 4',
  ])
  expect(rows([photo(2, 0), photo(3, 1, { replyTo }), photo(4, 2)])).toEqual(['day', '2', '3 4'])
})

it('The unread divider and a new day split an album', () => {
  expect(rows(run(4), { newFromSeq: 3 })).toEqual(['day', '1 2', 'new', '3 4'])
  const midnight = [photo(1, 0), photo(2, 1), photo(3, 0, { timestamp: noon(0, 2) })]
  expect(rows(midnight)).toEqual(['day', '1 2', 'day', '3'])
})

it('A deleted message splits an album', () => {
  const { attachment: _, ...gone } = photo(2, 1, { deletedAt: noon(9) })
  expect(rows([photo(1, 0), gone, photo(3, 2), photo(4, 3)])).toEqual(['day', '1', '2', '3 4'])
})

it('An album includes pending photos and a failed one at the end', () => {
  const unsent = (id: string, delivery: 'pending' | 'failed') => {
    const { seq: _, ...message } = photo(0, 1, { id, delivery })
    return message
  }
  expect(rows([photo(1, 0), unsent('m2', 'pending'), unsent('m3', 'failed')])).toEqual(['day', '1 m2 m3'])
})

it('An album keeps its key while more photos arrive', () => {
  const keyOf = (messages: Message[]) => withAlbums(threadItems(messages, 'me'), new Set()).at(-1)?.key
  const keys = [1, 2, 3].map((count) => keyOf(run(count)))
  expect(new Set(keys)).toEqual(new Set(['maya m1']))
})

it('An album that has been shown doesn’t grow upwards', () => {
  expect(rows(run(4), { starts: ['maya m3'] })).toEqual(['day', '1 2', '3 4'])
})
