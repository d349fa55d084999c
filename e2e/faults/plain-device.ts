import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectDevice, type Device, type DeviceParts, type Shown } from './device.ts'
import { standstillMs, until } from './until.ts'

/*
 * A client that only speaks the first version of the protocol. It sends six fields, waits for the acknowledgement and
 * resends with the same id if none comes. When it reconnects, it loads missed messages page by page.
 */
interface Message {
  id: string
  seq: number
  senderId: string
  receiverId: string
}
interface Row {
  id: string
}
interface Outgoing {
  id: string
  message: string
  to: string
}

const ackLimitMs = 5_000
const pageSize = 100

export function openPlainDevice({ person, token, name, url, ledger }: DeviceParts): Device {
  const threads = new Map<string, Map<number, Message>>()
  const outbox: Outgoing[] = []
  const busy = new Set<string>()
  let isOver = false
  let drops = 0
  const socket = connectDevice(url, token)
  const ask = (event: string, ...payload: unknown[]) => socket.timeout(ackLimitMs).emitWithAck(event, ...payload)

  function keep(message: Message): boolean {
    const peerId = message.senderId === person.id ? message.receiverId : message.senderId
    const thread = threads.get(peerId) ?? new Map<number, Message>()
    threads.set(peerId, thread)
    const isNew = !thread.has(message.seq)
    thread.set(message.seq, message)
    return isNew
  }

  async function page(peerId: string, after: number): Promise<{ messages: Message[]; hasMore: boolean }> {
    const address = `${url}/api/conversations/${peerId}/messages?after=${after}&limit=${pageSize}`
    const answer = await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ackLimitMs),
    })
    if (answer.status === 404) return { messages: [], hasMore: false }
    if (!answer.ok) throw new Error(`a page: ${answer.status}`)
    return (await answer.json()) as { messages: Message[]; hasMore: boolean }
  }

  function wholeUpTo(peerId: string): number {
    const thread = threads.get(peerId)
    let seq = 0
    while (thread?.has(seq + 1)) seq++
    return seq
  }

  async function catchUp(peerId: string): Promise<void> {
    for (let more = true; more; ) {
      const { messages, hasMore } = await page(peerId, wholeUpTo(peerId))
      for (const message of messages) keep(message)
      more = hasMore && messages.length > 0
    }
  }

  const healing = new Set<string>()
  async function heal(peerId: string): Promise<void> {
    if (healing.has(peerId)) return
    healing.add(peerId)
    while (!isOver && socket.connected) {
      const done = await catchUp(peerId).then(
        () => true,
        () => false,
      )
      if (done) break
      await sleep(200)
    }
    healing.delete(peerId)
  }

  async function healAll(): Promise<void> {
    await Promise.all([...threads.keys()].map(heal))
    if (socket.connected) socket.emit('get_conversations')
  }

  async function drain(peerId: string): Promise<void> {
    if (busy.has(peerId)) return
    busy.add(peerId)
    while (!isOver && socket.connected) {
      const [next] = outbox.filter(({ to }) => to === peerId)
      if (!next) break
      const sent = { id: next.id, message: next.message, timestamp: new Date().toISOString(), status: 'sent' }
      const answer = await ask('send_message', { ...sent, senderId: person.id, receiverId: peerId }).catch(
        () => undefined,
      )
      if (!answer?.ok) await sleep(answer?.retryAfterMs ?? 200)
      else {
        outbox.splice(outbox.indexOf(next), 1)
        ledger.acknowledged(next.id)
        keep(answer.message)
      }
    }
    busy.delete(peerId)
  }
  const drainAll = () => [...new Set(outbox.map(({ to }) => to))].forEach((peerId) => void drain(peerId))

  socket.on('connect', () => {
    drainAll()
    void healAll()
  })
  socket.on('disconnect', () => drops++)
  socket.on('private message', (message: Message) => {
    const peerId = message.senderId === person.id ? message.receiverId : message.senderId
    if (keep(message) && wholeUpTo(peerId) < message.seq) void heal(peerId)
  })
  socket.on('conversations', (rows: Row[]) => {
    for (const { id } of rows) {
      if (!threads.has(id)) threads.set(id, new Map())
      void heal(id)
    }
  })
  socket.on('resync', ({ withinMs }: { withinMs: number }) => void sleep(Math.random() * withinMs).then(healAll))

  async function tellRead(peerId: string): Promise<void> {
    while (!isOver && socket.connected) {
      const answer = await ask('mark_as_read', { conversationId: peerId, userId: person.id }).catch(() => undefined)
      if (answer?.ok) return
      await sleep(200)
    }
  }

  const shown = (peerId: string): Shown[] => {
    const taken = [...(threads.get(peerId)?.values() ?? [])].sort((a, b) => a.seq - b.seq)
    const own = outbox.filter(({ to, id }) => to === peerId && !taken.some((message) => message.id === id))
    return [
      ...taken.map(({ id, seq }) => ({ id, seq, failed: false })),
      ...own.map(({ id }) => ({ id, seq: undefined, failed: false })),
    ]
  }

  return {
    person,
    name,
    write(to, text) {
      const id = randomUUID()
      ledger.wrote({ id, from: person.id, to, text })
      outbox.push({ id, message: text, to })
      if (!threads.has(to)) threads.set(to, new Map())
      void drain(to)
      return id
    },
    read: (peerId) => void tellRead(peerId),
    thread: (peerId) => (threads.has(peerId) ? shown(peerId) : undefined),
    async open(peerId) {
      const tryOnce = () =>
        ask('get_or_create_conversation', { withUser: peerId }).then(
          () => true,
          () => false,
        )
      if (!(await until(tryOnce, standstillMs))) throw new Error(`${name} cannot open a conversation`)
      if (!threads.has(peerId)) threads.set(peerId, new Map())
      await heal(peerId)
    },
    unread: () => undefined,
    waiting: () => outbox.length,
    isConnected: () => socket.connected,
    drops: () => drops,
    async close() {
      isOver = true
      socket.disconnect()
    },
  }
}
