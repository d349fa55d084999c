import type { Conversation as WireConversation, Message as WireMessage } from '@duet/contract/conversations.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { conversation, mine, message as theirs } from '../talk.test-people.ts'
import {
  type Conversation,
  changeMessage,
  confirmMessage,
  markDelivered,
  markRead,
  mergeConversations,
  receiveMessage,
} from './conversation-list.ts'
import { quoteOf } from './messages.ts'

// A model of a conversation on the server. Each step returns the events that the server would send, and `fresh` returns
// what a newly opened page would load.
type Told = (list: Conversation[]) => Conversation[]
interface Room {
  messages: WireMessage[]
  revision: number
  readByMe: number
  readByMaya: number
  delivered: number
}
interface Mark {
  kind: 'readByMe' | 'readByMaya' | 'delivered'
  which: number
  counts: boolean
}
type Step =
  | { kind: 'write'; mine: boolean; answers: number }
  | { kind: 'edit' | 'delete' | 'react'; which: number }
  | Mark
  | { kind: 'list'; messages: boolean }

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('write' as const), mine: fc.boolean(), answers: fc.nat(9) }),
    },
    fc.record({ kind: fc.constantFrom('edit' as const, 'delete' as const, 'react' as const), which: fc.nat(30) }),
    fc.record({
      kind: fc.constantFrom('readByMe' as const, 'readByMaya' as const, 'delivered' as const),
      which: fc.nat(30),
      counts: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('list' as const), messages: fc.boolean() }),
  ),
  { maxLength: 30 },
)

const elsewhere = { viewerId: 'me', selectedId: null }
const empty = (): Room => ({ messages: [], revision: 0, readByMe: 0, readByMaya: 0, delivered: 0 })

function tell(room: Room, message: WireMessage): WireMessage {
  const { replyTo, ...rest } = message
  const answered = replyTo && room.messages[replyTo.seq - 1]
  const sent = message.seq <= room.delivered ? ('delivered' as const) : ('sent' as const)
  const status = message.seq <= room.readByMaya ? ('read' as const) : sent
  return {
    ...rest,
    status: message.senderId === 'me' ? status : 'sent',
    ...(answered && { replyTo: quoteOf(answered) }),
  }
}

function row(room: Room, withMessages: boolean): WireConversation {
  const messages = room.messages.map((message) => tell(room, message))
  const { readByMe, readByMaya, delivered, revision } = room
  return {
    ...(conversation('maya') as WireConversation),
    ...(withMessages && { messages }),
    lastMessage: messages.at(-1) ?? null,
    unreadCount: messages.filter(({ senderId, seq, deletedAt }) => senderId === 'maya' && seq > readByMe && !deletedAt)
      .length,
    ...{ readSeq: readByMaya, deliveredSeq: delivered, myReadSeq: readByMe, lastSeq: messages.length, revision },
  }
}

function write(room: Room, isMine: boolean, answers: number): Told[] {
  const seq = room.messages.length + 1
  const answered = room.messages[answers]
  const made = isMine ? mine : theirs
  const revision = ++room.revision
  // Ids are unique only per sender, so both people use the same ones here.
  const { senderId } = made(seq)
  const id = `message ${room.messages.filter((one) => one.senderId === senderId).length}`
  room.messages.push(made(seq, { id, revision, ...(answered && { replyTo: quoteOf(answered) }) }))
  const told = tell(room, room.messages[seq - 1]!)
  const push: Told = (list) => receiveMessage(list, told, elsewhere)
  return isMine ? [push, (list) => confirmMessage(list, told)] : [push]
}

function change(room: Room, kind: 'edit' | 'delete' | 'react', which: number): Told[] {
  const index = which % Math.max(1, room.messages.length)
  const before = room.messages[index]
  if (!before) return []
  const { replyTo: _, ...bare } = before
  room.revision += 1
  const states = {
    edit: { ...before, message: `edited ${room.revision}` },
    delete: { ...bare, message: '', deletedAt: before.timestamp },
    react: { ...before, reactions: [{ userId: 'maya', emoji: String(room.revision) }] },
  }
  room.messages[index] = { ...states[kind], revision: room.revision }
  const told = tell(room, room.messages[index])
  return [(list) => changeMessage(list, told, 'me')]
}

function mark(room: Room, { kind, which, counts }: Mark): Told[] {
  const seq = Math.max(room[kind], Math.min(which, room.messages.length))
  room[kind] = seq
  if (kind === 'delivered') return [(list) => markDelivered(list, { conversationId: 'maya', seq })]
  if (kind === 'readByMaya') return [(list) => markRead(list, { conversationId: 'maya', readerId: 'maya', seq }, 'me')]
  const { unreadCount, lastSeq } = row(room, false)
  // An older server sends the seq without the counts.
  const counted = counts ? { unreadCount, lastSeq } : {}
  return [(list) => markRead(list, { conversationId: 'maya', readerId: 'me', seq, ...counted }, 'me')]
}

function take(room: Room, step: Step): Told[] {
  if (step.kind === 'write') return write(room, step.mine, step.answers)
  if (step.kind === 'list') {
    const told = row(room, step.messages)
    return [(list) => mergeConversations(list, [told])]
  }
  if ('counts' in step) return mark(room, step)
  return change(room, step.kind, step.which)
}

function visible(list: readonly Conversation[]) {
  const { thread: _, lastAt: __, messages = [], ...rest } = list[0]!
  return { ...rest, messages }
}
const fresh = (room: Room) => visible(mergeConversations([], [row(room, true)]))
const shuffled = (size: number) => fc.array(fc.nat(), { minLength: size, maxLength: size })

it('Events in any order, with any repeats, lead to what a fresh page would load', () => {
  fc.assert(
    fc.property(steps, fc.array(fc.nat(), { maxLength: 120 }), (taken, order) => {
      const room = empty()
      const told = taken.flatMap((step) => take(room, step))
      const repeated = order.map((pick) => told[pick % told.length]).filter((one) => one !== undefined)
      const rank = (index: number) => order[index % Math.max(1, order.length)] ?? 0
      const all = [...told, ...repeated]
        .map((one, index) => ({ one, rank: rank(index) }))
        .sort((a, b) => a.rank - b.rank)
      const list = all.reduce<Conversation[]>((known, { one }) => one(known), [conversation('maya')])
      expect(visible(list)).toEqual(fresh(room))
    }),
    { numRuns: 300 },
  )
})

it('Refetching a row shows the current state, whatever events came before', () => {
  fc.assert(
    fc.property(steps, shuffled(3), (taken, holes) => {
      const room = empty()
      const told = taken.flatMap((step) => take(room, step))
      const came = told.filter((_, index) => !holes.some((hole) => hole % Math.max(1, told.length) === index))
      const list = came.reduce<Conversation[]>((known, one) => one(known), [conversation('maya')])
      expect(visible(mergeConversations(list, [row(room, true)]))).toEqual(fresh(room))
    }),
    { numRuns: 300 },
  )
})

it('A later message still counts as unread when a read receipt from another device arrives', () => {
  const row = conversation('maya', { unreadCount: 5, lastSeq: 5, myReadSeq: 0 })
  const withSixth = receiveMessage(mergeConversations([], [row]), theirs(6), elsewhere)
  expect(withSixth[0]?.unreadCount).toBe(6)
  const read = { conversationId: 'maya', readerId: 'me', seq: 3, unreadCount: 2, lastSeq: 5 }
  const [after] = markRead(withSixth, read, 'me')
  expect(after).toMatchObject({ unreadCount: 3, myReadSeq: 3, lastSeq: 6 })
  // Applying a repeated or outdated receipt must change nothing.
  const stale = { ...read, seq: 1, unreadCount: 1, lastSeq: 2 }
  expect(markRead(markRead(after ? [after] : [], read, 'me'), stale, 'me')[0]).toMatchObject({ unreadCount: 3 })
})

it('A read receipt from another device sets the exact unread count of a thread that isn’t in memory', () => {
  // Half of the ten messages are mine, so the client can't compute how many of the rest are unread.
  const row = conversation('maya', { unreadCount: 5, lastSeq: 10, myReadSeq: 0 })
  const known = mergeConversations([], [row])
  const read = { conversationId: 'maya', readerId: 'me', seq: 8, unreadCount: 1, lastSeq: 10 }
  expect(markRead(known, read, 'me')[0]).toMatchObject({ unreadCount: 1 })
})
