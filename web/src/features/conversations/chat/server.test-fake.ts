import type { Conversation as WireConversation, Message as WireMessage } from '@duet/contract/conversations.ts'
import { listCursorHeader } from '@duet/contract/limits.ts'
import type { call } from '../../../platform/call.ts'
import type { DuetSocket } from '../../../platform/socket/socket.ts'
import { conversation, message as messageOf } from '../talk.test-people.ts'

interface Room {
  messages: WireMessage[]
  revision: number
  readByMe: number
  readByThem: number
  delivered: number
  stamp: number
  wroteAt: number
}
type Push = (event: string, payload: unknown) => void

/** An in-memory server for one viewer, "me". Seqs and revisions have no gaps, and its connections may lose pushes. */
export function fakeServer() {
  const rooms = new Map<string, Room>()
  const devices = new Set<Push>()
  const requests: string[] = []
  const state = { down: false }
  let clock = 0
  const roomOf = (id: string): Room => {
    const room = rooms.get(id) ?? {
      messages: [],
      revision: 0,
      readByMe: 0,
      readByThem: 0,
      delivered: 0,
      stamp: 0,
      wroteAt: 0,
    }
    rooms.set(id, room)
    return room
  }
  const touch = (room: Room) => {
    clock += 1
    room.stamp = clock
  }
  const publish: Push = (event, payload) => {
    for (const push of devices) push(event, structuredClone(payload))
  }

  const tell = (id: string, message: WireMessage): WireMessage => {
    const room = roomOf(id)
    const mine = message.senderId === 'me'
    const status =
      mine && message.seq <= room.readByThem ? 'read' : mine && message.seq <= room.delivered ? 'delivered' : 'sent'
    return { ...message, status }
  }
  const row = (id: string): WireConversation => {
    const room = roomOf(id)
    const last = room.messages.at(-1)
    return {
      ...(conversation(id) as WireConversation),
      lastMessage: last ? tell(id, last) : null,
      lastAt: last ? new Date(room.wroteAt).toISOString() : null,
      unreadCount: room.messages.filter(
        ({ senderId, seq, deletedAt }) => senderId === id && seq > room.readByMe && !deletedAt,
      ).length,
      ...{ readSeq: room.readByThem, deliveredSeq: room.delivered, myReadSeq: room.readByMe },
      ...{ lastSeq: room.messages.length, revision: room.revision },
    }
  }

  function write(id: string, from: 'me' | string, changes: Partial<WireMessage> = {}): WireMessage {
    const room = roomOf(id)
    const mine = from === 'me'
    const repeated = room.messages.find((known) => known.id === changes.id)
    if (repeated) return tell(id, repeated)
    room.revision += 1
    const seq = room.messages.length + 1
    const people = { senderId: from, receiverId: mine ? id : 'me', conversationId: id }
    const made = messageOf(seq, { id: `${id} ${seq}`, ...people, ...changes, revision: room.revision })
    room.messages.push(made)
    touch(room)
    room.wroteAt = clock
    publish('private message', tell(id, made))
    return tell(id, made)
  }

  function change(id: string, seq: number, state: Partial<WireMessage>): WireMessage {
    const room = roomOf(id)
    room.revision += 1
    const changed = { ...room.messages[seq - 1]!, ...state, revision: room.revision }
    room.messages[seq - 1] = changed
    touch(room)
    publish('message_changed', tell(id, changed))
    return tell(id, changed)
  }

  function read(id: string, readerId: string, seq: number): void {
    const room = roomOf(id)
    if (readerId === 'me') room.readByMe = Math.max(room.readByMe, seq)
    else room.readByThem = Math.max(room.readByThem, seq)
    touch(room)
    const { unreadCount, lastSeq } = row(id)
    publish('conversation_read', {
      conversationId: id,
      readerId,
      seq,
      ...(readerId === 'me' && { unreadCount, lastSeq }),
    })
  }

  const gone: { id: string; at: number }[] = []
  function unlist(id: string): void {
    clock += 1
    rooms.delete(id)
    gone.push({ id, at: clock })
  }

  // biome-ignore lint/suspicious/noExplicitAny: each event has its own payload type
  const answers: Record<string, (payload: any, push: Push) => unknown> = {
    get_conversations: (payload, push) => {
      const since = Number(payload?.since) || 0
      const rows = [...rooms].filter(([, room]) => room.stamp >= since).map(([id]) => row(id))
      push('conversations', rows)
      return { ok: true, cursor: String(clock), gone: gone.filter(({ at }) => at >= since).map(({ id }) => id) }
    },
    get_or_create_conversation: ({ withUser }) => {
      const { messages } = roomOf(withUser)
      return {
        id: withUser,
        messages: messages.slice(-50).map((one) => tell(withUser, one)),
        hasMore: messages.length > 50,
      }
    },
    mark_as_read: ({ conversationId, userId, upToSeq }) => {
      if (state.down) return { ok: false, code: 'internal' }
      read(conversationId, userId, upToSeq)
      return { ok: true }
    },
    mark_as_delivered: () => ({ ok: true }),
    send_message: ({ id, message, receiverId }) => ({ ok: true, message: write(receiverId, 'me', { id, message }) }),
  }

  /** `loses` is called for each push and returns whether to drop it. */
  function connect(receive: Push, loses: () => boolean = () => false) {
    const push: Push = (event, payload) => {
      if (line.connected && !loses()) receive(event, payload)
    }
    devices.add(push)
    const handle = async (name: string, payload: unknown) => {
      await Promise.resolve()
      if (!line.connected) throw new Error('socket has been disconnected')
      requests.push(name)
      return structuredClone(answers[name]?.(payload, receive))
    }
    const line = {
      connected: true,
      emit: (name: string, payload: unknown, answer?: (value: unknown) => void) =>
        void handle(name, payload).then(answer, () => undefined),
      timeout: () => ({ emitWithAck: handle }),
    }
    return { line, socket: () => line as unknown as DuetSocket }
  }

  // biome-ignore lint/suspicious/noExplicitAny: each endpoint has its own request type
  const http = async (name: string, { params, query, body, onHeaders }: any): Promise<unknown> => {
    requests.push(name)
    await Promise.resolve()
    if (name === 'GET /api/messages/history') {
      onHeaders(new Headers({ [listCursorHeader]: String(clock) }))
      return [...rooms.keys()].map(row)
    }
    const { messages } = roomOf(params.userId)
    const told = messages.map((one) => tell(params.userId, one))
    if (name.endsWith('/changes')) {
      const hits = told.filter(({ seq, revision }) => seq > query.after || (revision !== seq && revision > query.since))
      hits.sort((one, other) => one.revision - other.revision)
      return { messages: hits.slice(0, query.limit), hasMore: hits.length > query.limit }
    }
    if (name.startsWith('PATCH')) return change(params.userId, params.seq, { message: body.message })
    const { limit = 50 } = query
    if (query.after !== undefined) {
      const after = told.filter(({ seq }) => seq > query.after)
      return { messages: after.slice(0, limit), hasMore: after.length > limit }
    }
    const before = told.filter(({ seq }) => seq < (query.before ?? Number.POSITIVE_INFINITY))
    return { messages: before.slice(-limit), hasMore: before.length > limit }
  }

  return {
    state,
    write,
    change,
    read,
    row,
    tell,
    roomOf,
    unlist,
    connect,
    requests,
    call: http as unknown as typeof call,
  }
}
