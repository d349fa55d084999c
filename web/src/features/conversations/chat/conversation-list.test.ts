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

describe('conversations received', () => {
  it('are merged by id', () => {
    const list = mergeConversations(
      [conversation('maya'), conversation('kofi')],
      [conversation('maya', { unreadCount: 3 }) as never, conversation('lena') as never],
    )
    expect(list.map(({ id }) => id)).toEqual(['maya', 'kofi', 'lena'])
    expect(only(list).unreadCount).toBe(3)
  })

  it('keep the messages that are known when the update has none', () => {
    const known = conversation('maya', { messages: [message(1)], lastMessage: message(1) })
    const list = mergeConversations([known], [conversation('maya', { lastMessage: message(1) }) as never])
    expect(only(list).messages).toEqual([message(1)])
  })

  it('unite their messages with those that are known, each once and in order', () => {
    const known = conversation('maya', { messages: [message(1), message(2)] })
    const update = conversation('maya', { messages: [message(2), message(3)] })
    expect(only(mergeConversations([known], [update])).messages?.map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('drop what lies before a hole, so that it is read again', () => {
    const known = conversation('maya', { messages: [message(1), message(2)] })
    const update = conversation('maya', { messages: [message(8), message(9)] })
    expect(only(mergeConversations([known], [update])).messages?.map(({ seq }) => seq)).toEqual([8, 9])
  })

  it('never lose a message that still waits to be sent', () => {
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

describe('an incoming private message', () => {
  it('joins the conversation of its sender, becomes the last message and counts as unread', () => {
    const list = receiveMessage([conversation('maya'), conversation('kofi')], message(1), elsewhere)
    expect(only(list)).toMatchObject({ messages: [message(1)], lastMessage: message(1), unreadCount: 1 })
    expect(list[1]).toEqual(conversation('kofi'))
  })

  it('does not count when its conversation is the selected one', () => {
    expect(only(receiveMessage([conversation('maya')], message(1), inMaya)).unreadCount).toBe(0)
  })

  it('of our own, from another device, joins the conversation of its receiver and never counts', () => {
    const list = receiveMessage([conversation('maya')], mine(1), elsewhere)
    expect(only(list)).toMatchObject({ lastMessage: mine(1), unreadCount: 0 })
  })

  it('of a sender without a known conversation is ignored', () => {
    expect(receiveMessage([conversation('kofi')], message(1), elsewhere)).toEqual([conversation('kofi')])
  })

  it('that came already is not counted or shown again', () => {
    const once = receiveMessage([conversation('maya')], message(1), elsewhere)
    expect(receiveMessage(once, message(1), elsewhere)).toEqual(once)
  })

  it('that the list already told of as the last message is not counted twice', () => {
    const told = conversation('maya', { lastMessage: message(1), unreadCount: 1 })
    expect(only(receiveMessage([told], message(1), elsewhere))).toMatchObject({
      messages: [message(1)],
      unreadCount: 1,
    })
  })

  it('gives the same list in whichever order messages come', () => {
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

  it('ends the typing of its sender', () => {
    const list = setTyping([conversation('maya')], 'maya', true)
    expect(only(receiveMessage(list, message(1), elsewhere)).user.isTyping).toBe(false)
  })
})

describe('an own message', () => {
  const local = waiting('own', { after: 1 })
  const withFirst = () => [conversation('maya', { messages: [message(1)], lastMessage: message(1) })]
  const sent = receiveMessage([conversation('maya', { messages: [message(1)] })], local, inMaya)

  it('stands last until the server takes it, then where its seq says', () => {
    expect(only(sent).messages?.map(({ id }) => id)).toEqual(['m1', 'own'])
    const taken = confirmMessage(receiveMessage(sent, message(3), inMaya), mine(2, { id: 'own' }))
    expect(only(taken).messages?.map(({ id }) => id)).toEqual(['m1', 'own', 'm3'])
    expect(only(taken).messages?.[1]?.delivery).toBeUndefined()
    expect(only(taken).lastMessage?.id).toBe('m3')
  })

  it('can fail, be tried again and be forgotten', () => {
    const failed = markDelivery(sent, local, 'failed')
    expect(only(failed).lastMessage?.delivery).toBe('failed')
    expect(only(dropMessage(failed, local))).toMatchObject({ messages: [message(1)], lastMessage: message(1) })
  })

  it('that was refused stands last only until something newer comes', () => {
    const refused = { ...waiting('refused'), delivery: 'failed' as const, refusal: 'forbidden', after: 1 }
    const failed = receiveMessage(withFirst(), refused, elsewhere)
    expect(only(failed).lastMessage?.id).toBe('refused')
    const answered = receiveMessage(failed, message(2), elsewhere)
    expect(only(answered)).toMatchObject({ lastMessage: message(2), unreadCount: 1 })
    // It still stands at the end of the thread, where its writer finds it.
    expect(only(answered).messages?.map(({ id }) => id)).toEqual(['m1', 'm2', 'refused'])
    const told = mergeConversations(failed, [conversation('maya', { lastMessage: message(4), unreadCount: 3 })])
    expect(only(told).lastMessage).toEqual(message(4))
  })

  it('that was refused hides none that still waits', () => {
    const refused = { ...waiting('b'), delivery: 'failed' as const, after: 9 }
    const both = receiveMessage(receiveMessage(withFirst(), waiting('a', { after: 1 }), elsewhere), refused, elsewhere)
    expect(only(both).lastMessage?.id).toBe('a')
  })

  it('that the server took does not fail afterwards', () => {
    const taken = confirmMessage(sent, mine(2, { id: 'own' }))
    expect(markDelivery(taken, local, 'failed')).toEqual(taken)
  })
})

describe('presence', () => {
  it('first marks everyone offline, then those listed online', () => {
    const list = setOnline([conversation('maya'), conversation('kofi')], [{ id: 'maya' }])
    expect(list.map(({ user }) => user.isOnline)).toEqual([true, false])
    expect(setOnline(list, [{ id: 'kofi' }]).map(({ user }) => user.isOnline)).toEqual([false, true])
  })

  it('sets and clears typing of the sender alone', () => {
    const list = setTyping([conversation('maya'), conversation('kofi')], 'kofi', true)
    expect(list.map(({ user }) => user.isTyping)).toEqual([false, true])
    expect(setTyping(list, 'kofi', false).map(({ user }) => user.isTyping)).toEqual([false, false])
  })
})

describe('reading', () => {
  it('by the other person marks own messages up to that seq as read', () => {
    const list = [conversation('maya', { messages: [mine(1), message(2), mine(3)], lastMessage: mine(3) })]
    const read = only(markRead(list, { conversationId: 'maya', readerId: 'maya', seq: 1 }, 'me'))
    expect(read.messages?.map(({ status }) => status)).toEqual(['read', 'sent', 'sent'])
    expect(read.readSeq).toBe(1)
  })

  it('stays read when an older copy of the message comes', () => {
    expect(upsertMessages([mine(1, { status: 'read' })], [mine(1)])[0]?.status).toBe('read')
  })

  it('on another device clears the count here, but for what came later', () => {
    const list = [conversation('maya', { messages: [message(1), message(2), message(3)], unreadCount: 3 })]
    const read = (seq: number) =>
      only(markRead(list, { conversationId: 'maya', readerId: 'me', seq }, 'me')).unreadCount
    expect([read(3), read(2)]).toEqual([0, 1])
  })

  it('resets the count of the selected conversation alone', () => {
    const list = [conversation('maya', { unreadCount: 2 }), conversation('kofi', { unreadCount: 1 })]
    expect(totalUnread(list)).toBe(3)
    expect(totalUnread(clearUnread(list, 'maya'))).toBe(1)
  })

  it('opens at the first unread message', () => {
    const messages = [message(1), mine(2), message(3), message(4)]
    expect(firstUnreadSeq(messages, 'me', 2)).toBe(3)
    expect(firstUnreadSeq(messages, 'me', 0)).toBeUndefined()
    const withDeleted = [...messages, message(5, { message: '', deletedAt: new Date().toISOString() })]
    expect(firstUnreadSeq(withDeleted, 'me', 2)).toBe(3)
  })
})

describe('the total unread count', () => {
  it('sums up what is unread', () => {
    const list = [conversation('a', { unreadCount: 2 }), conversation('b'), conversation('c', { unreadCount: 5 })]
    expect(totalUnread(list)).toBe(7)
  })
})

describe('messages under the same id', () => {
  const texts = (list: readonly Conversation[]) => only(list).messages?.map(({ message: text }) => text)

  it('by two people are two messages, in pages and as they come', () => {
    const both = [message(1, { id: 'same' }), mine(2, { id: 'same' })]
    expect(texts(mergeConversations([], [conversation('maya', { messages: both })]))).toEqual(['text 1', 'text 2'])
    const known = mergeConversations([], [conversation('maya', { messages: [mine(1, { id: 'same' })] })])
    expect(texts(receiveMessage(known, message(2, { id: 'same' }), elsewhere))).toEqual(['text 1', 'text 2'])
  })

  it('by someone else remove nothing that waits', () => {
    const known = mergeConversations([], [conversation('maya', { messages: [message(1)] })])
    const withOwn = receiveMessage(known, waiting('same'), elsewhere)
    expect(texts(receiveMessage(withOwn, message(2, { id: 'same' }), elsewhere))).toEqual(['text 1', 'text 2', 'same'])
  })
})

describe('a request', () => {
  it('ends once I have answered, before anyone says so', () => {
    const asked = conversation('maya', { messages: [message(1)], lastMessage: message(1), isRequest: true })
    const known = mergeConversations([], [asked])
    expect(only(known).isRequest).toBe(true)
    expect(only(receiveMessage(known, waiting('answer'), elsewhere)).isRequest).toBe(true)
    expect(only(confirmMessage(known, mine(2))).isRequest).toBe(false)
  })
})
