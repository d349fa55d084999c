import { describe, expect, it } from 'vitest'
import { conversation, message, mine, waiting } from '../talk.test-people.ts'
import {
  clearUnread,
  confirmMessage,
  dropMessage,
  firstUnreadSeq,
  type Message,
  markDelivery,
  markRead,
  mergeConversations,
  receiveMessage,
  setOnline,
  setTyping,
  totalUnread,
} from './conversation-list.ts'
import { upsertMessages } from './messages.ts'
import type { Conversation } from './thread.ts'

const elsewhere = { viewerId: 'me', selectedId: null }
const inMaya = { viewerId: 'me', selectedId: 'maya' }
const only = (list: readonly Conversation[]) => list[0]!

describe('merging conversations', () => {
  it('Received conversations are merged by id', () => {
    const list = mergeConversations(
      [conversation('maya'), conversation('kofi')],
      [conversation('maya', { unreadCount: 3 }) as never, conversation('lena') as never],
    )
    expect(list.map(({ id }) => id)).toEqual(['maya', 'kofi', 'lena'])
    expect(only(list).unreadCount).toBe(3)
  })

  it('An update without messages keeps the known messages', () => {
    const known = conversation('maya', { messages: [message(1)], lastMessage: message(1) })
    const list = mergeConversations([known], [conversation('maya', { lastMessage: message(1) }) as never])
    expect(only(list).messages).toEqual([message(1)])
  })

  it('An update with messages merges them in order, each once', () => {
    const known = conversation('maya', { messages: [message(1), message(2)] })
    const update = conversation('maya', { messages: [message(2), message(3)] })
    expect(only(mergeConversations([known], [update])).messages?.map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('Messages before a gap are dropped, so that they are fetched again', () => {
    const known = conversation('maya', { messages: [message(1), message(2)] })
    const update = conversation('maya', { messages: [message(8), message(9)] })
    expect(only(mergeConversations([known], [update])).messages?.map(({ seq }) => seq)).toEqual([8, 9])
  })

  it('An update never drops a message that still waits to be sent', () => {
    const unsent = waiting('waiting')
    const known = conversation('maya', { messages: [message(1), unsent], lastMessage: unsent })
    const list = mergeConversations(
      [known],
      [conversation('maya', { messages: [message(2)], lastMessage: message(2) })],
    )
    expect(only(list).messages?.at(-1)?.id).toBe('waiting')
    expect(only(list).lastMessage?.id).toBe('waiting')
  })
})

describe('receiving a private message', () => {
  it('A message joins its sender’s conversation, becomes the last message and counts as unread', () => {
    const list = receiveMessage([conversation('maya'), conversation('kofi')], message(1), elsewhere)
    expect(only(list)).toMatchObject({ messages: [message(1)], lastMessage: message(1), unreadCount: 1 })
    expect(list[1]).toEqual(conversation('kofi'))
  })

  it('A message in the selected conversation doesn’t count as unread', () => {
    expect(only(receiveMessage([conversation('maya')], message(1), inMaya)).unreadCount).toBe(0)
  })

  it('A message I sent from another device joins its receiver’s conversation and never counts as unread', () => {
    const list = receiveMessage([conversation('maya')], mine(1), elsewhere)
    expect(only(list)).toMatchObject({ lastMessage: mine(1), unreadCount: 0 })
  })

  it('A message whose sender has no known conversation is ignored', () => {
    expect(receiveMessage([conversation('kofi')], message(1), elsewhere)).toEqual([conversation('kofi')])
  })

  it('A message that arrives twice is counted and shown once', () => {
    const once = receiveMessage([conversation('maya')], message(1), elsewhere)
    expect(receiveMessage(once, message(1), elsewhere)).toEqual(once)
  })

  it('A message that the list already showed as the last one isn’t counted again', () => {
    const told = conversation('maya', { lastMessage: message(1), unreadCount: 1 })
    expect(only(receiveMessage([told], message(1), elsewhere))).toMatchObject({
      messages: [message(1)],
      unreadCount: 1,
    })
  })

  it('Messages that arrive in any order lead to the same list', () => {
    const forwards = [message(1), mine(2), message(3)]
    const end = (order: Message[]) =>
      order.reduce((list, each) => receiveMessage(list, each, elsewhere), [conversation('maya')])
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]
    for (const order of orders) expect(end(order.map((index) => forwards[index]!))).toEqual(end(forwards))
  })

  it('A message ends its sender’s typing indicator', () => {
    const list = setTyping([conversation('maya')], 'maya', true)
    expect(only(receiveMessage(list, message(1), elsewhere)).user.isTyping).toBe(false)
  })
})

describe('sending a message', () => {
  const local = waiting('own', { after: 1 })
  const withFirst = () => [conversation('maya', { messages: [message(1)], lastMessage: message(1) })]
  const sent = receiveMessage([conversation('maya', { messages: [message(1)] })], local, inMaya)

  it('A sent message stays last until the server accepts it, then moves to its seq', () => {
    expect(only(sent).messages?.map(({ id }) => id)).toEqual(['m1', 'own'])
    const taken = confirmMessage(receiveMessage(sent, message(3), inMaya), mine(2, { id: 'own' }))
    expect(only(taken).messages?.map(({ id }) => id)).toEqual(['m1', 'own', 'm3'])
    expect(only(taken).messages?.[1]?.delivery).toBeUndefined()
    expect(only(taken).lastMessage?.id).toBe('m3')
  })

  it('A sent message can fail, and can then be removed', () => {
    const failed = markDelivery(sent, local, 'failed')
    expect(only(failed).lastMessage?.delivery).toBe('failed')
    expect(only(dropMessage(failed, local))).toMatchObject({ messages: [message(1)], lastMessage: message(1) })
  })

  it('A refused message is the last message only until a newer one arrives', () => {
    const refused = { ...waiting('refused'), delivery: 'failed' as const, refusal: 'forbidden', after: 1 }
    const failed = receiveMessage(withFirst(), refused, elsewhere)
    expect(only(failed).lastMessage?.id).toBe('refused')
    const answered = receiveMessage(failed, message(2), elsewhere)
    expect(only(answered)).toMatchObject({ lastMessage: message(2), unreadCount: 1 })
    // A refused message stays at the end of the thread, where its author sees it.
    expect(only(answered).messages?.map(({ id }) => id)).toEqual(['m1', 'm2', 'refused'])
    const told = mergeConversations(failed, [conversation('maya', { lastMessage: message(4), unreadCount: 3 })])
    expect(only(told).lastMessage).toEqual(message(4))
  })

  it('A refused message doesn’t hide one that still waits to be sent', () => {
    const refused = { ...waiting('b'), delivery: 'failed' as const, after: 9 }
    const both = receiveMessage(receiveMessage(withFirst(), waiting('a', { after: 1 }), elsewhere), refused, elsewhere)
    expect(only(both).lastMessage?.id).toBe('a')
  })

  it('A message that the server accepted can’t fail later', () => {
    const taken = confirmMessage(sent, mine(2, { id: 'own' }))
    expect(markDelivery(taken, local, 'failed')).toEqual(taken)
  })
})

describe('presence and typing', () => {
  it('A presence list marks everyone on it online and everyone else offline', () => {
    const list = setOnline([conversation('maya'), conversation('kofi')], [{ id: 'maya' }])
    expect(list.map(({ user }) => user.isOnline)).toEqual([true, false])
    expect(setOnline(list, [{ id: 'kofi' }]).map(({ user }) => user.isOnline)).toEqual([false, true])
  })

  it('A typing event changes only its sender', () => {
    const list = setTyping([conversation('maya'), conversation('kofi')], 'kofi', true)
    expect(list.map(({ user }) => user.isTyping)).toEqual([false, true])
    expect(setTyping(list, 'kofi', false).map(({ user }) => user.isTyping)).toEqual([false, false])
  })
})

describe('marking messages as read', () => {
  it('A read receipt marks my messages up to its seq as read', () => {
    const list = [conversation('maya', { messages: [mine(1), message(2), mine(3)], lastMessage: mine(3) })]
    const read = only(markRead(list, { conversationId: 'maya', readerId: 'maya', seq: 1 }, 'me'))
    expect(read.messages?.map(({ status }) => status)).toEqual(['read', 'sent', 'sent'])
    expect(read.readSeq).toBe(1)
  })

  it('A read message stays read when an older copy of it arrives', () => {
    expect(upsertMessages([mine(1, { status: 'read' })], [mine(1)])[0]?.status).toBe('read')
  })

  it('Reading on another device leaves only later messages unread here', () => {
    const list = [conversation('maya', { messages: [message(1), message(2), message(3)], unreadCount: 3 })]
    const read = (seq: number) =>
      only(markRead(list, { conversationId: 'maya', readerId: 'me', seq }, 'me')).unreadCount
    expect([read(3), read(2)]).toEqual([0, 1])
  })

  it('Clearing the unread count affects only that conversation', () => {
    const list = [conversation('maya', { unreadCount: 2 }), conversation('kofi', { unreadCount: 1 })]
    expect(totalUnread(list)).toBe(3)
    expect(totalUnread(clearUnread(list, 'maya'))).toBe(1)
  })

  it('The first unread message is found by counting back over undeleted messages', () => {
    const messages = [message(1), mine(2), message(3), message(4)]
    expect(firstUnreadSeq(messages, 'me', 2)).toBe(3)
    expect(firstUnreadSeq(messages, 'me', 0)).toBeUndefined()
    const withDeleted = [...messages, message(5, { message: '', deletedAt: new Date().toISOString() })]
    expect(firstUnreadSeq(withDeleted, 'me', 2)).toBe(3)
  })
})

describe('total unread count', () => {
  it('The total unread count sums up all conversations', () => {
    const list = [conversation('a', { unreadCount: 2 }), conversation('b'), conversation('c', { unreadCount: 5 })]
    expect(totalUnread(list)).toBe(7)
  })
})

describe('message ids shared by two people', () => {
  const texts = (list: readonly Conversation[]) => only(list).messages?.map(({ message: text }) => text)

  it('Two people’s messages with the same id stay separate, in pages and as events', () => {
    const both = [message(1, { id: 'same' }), mine(2, { id: 'same' })]
    expect(texts(mergeConversations([], [conversation('maya', { messages: both })]))).toEqual(['text 1', 'text 2'])
    const known = mergeConversations([], [conversation('maya', { messages: [mine(1, { id: 'same' })] })])
    expect(texts(receiveMessage(known, message(2, { id: 'same' }), elsewhere))).toEqual(['text 1', 'text 2'])
  })

  it('A message with the same id from someone else doesn’t remove mine that waits to be sent', () => {
    const known = mergeConversations([], [conversation('maya', { messages: [message(1)] })])
    const withOwn = receiveMessage(known, waiting('same'), elsewhere)
    expect(texts(receiveMessage(withOwn, message(2, { id: 'same' }), elsewhere))).toEqual(['text 1', 'text 2', 'same'])
  })
})

describe('message requests', () => {
  it('A message request ends as soon as my answer is accepted, before the server sends its new state', () => {
    const asked = conversation('maya', { messages: [message(1)], lastMessage: message(1), isRequest: true })
    const known = mergeConversations([], [asked])
    expect(only(known).isRequest).toBe(true)
    expect(only(receiveMessage(known, waiting('answer'), elsewhere)).isRequest).toBe(true)
    expect(only(confirmMessage(known, mine(2))).isRequest).toBe(false)
  })
})
