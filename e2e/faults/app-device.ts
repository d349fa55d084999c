import 'fake-indexeddb/auto'
import { createStore } from 'idb-keyval'
import { type Chat, createChat } from '../../web/src/features/conversations/chat/chat.ts'
import type { Selection } from '../../web/src/features/conversations/chat/context.ts'
import type { Message } from '../../web/src/features/conversations/chat/messages.ts'
import { indexedDbStorage } from '../../web/src/features/conversations/chat/outbox/outbox-storage.ts'
import { browserTabs, type Tabs } from '../../web/src/features/conversations/chat/outbox/tabs.ts'
import type { Conversation } from '../../web/src/features/conversations/chat/thread.ts'
import type { DuetSocket } from '../../web/src/platform/socket/socket.ts'
import { connectDevice, type Device, type DeviceParts } from './device.ts'
import { standstillMs, until } from './until.ts'

interface AppParts extends DeviceParts {
  /** The name of the browser's storage. Tabs of one browser share it, and a reopened device finds it again. */
  storage: string
}

/** How often an open app requests missed events. */
const askEveryMs = 60_000
const callLimitMs = 10_000

function callsTo(url: string, token: string) {
  return async (name: string, request: { params?: Record<string, string>; query?: Record<string, unknown> } = {}) => {
    const [method = 'GET', template = ''] = name.split(' ')
    const path = template.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(request.params?.[key] ?? ''))
    const query = new URLSearchParams(Object.entries(request.query ?? {}).map(([key, value]) => [key, String(value)]))
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}${path}?${query}`, { method, headers, signal: AbortSignal.timeout(callLimitMs) })
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
    return answer.json()
  }
}

/** Connects the tabs of one browser, and records which messages were written and acknowledged. */
function heardTabs(viewerId: string, storage: string, hear: (kind: string, message: Message) => void): Tabs {
  const tabs = browserTabs(`${viewerId} ${storage}`)
  return {
    ...tabs,
    tell(news) {
      if (news.kind === 'kept' || news.kind === 'taken') hear(news.kind, news.message)
      tabs.tell(news)
    },
  }
}

function wire(chat: Chat, socket: DuetSocket): () => void {
  for (const [event, handler] of Object.entries(chat.handlers)) socket.on(event as never, handler as never)
  socket.on('connect', () => void chat.connected())
  const timer = setInterval(() => void chat.sync.now(), askEveryMs)
  return () => clearInterval(timer)
}

/**
 * Runs the app's own chat without a page, so that storing, sending and syncing are tested with the code that users run.
 */
export function openAppDevice({ person, token, name, url, ledger, storage }: AppParts): Device {
  let conversations: Conversation[] | undefined = []
  let selection: Selection = { selectedId: null, newFromSeq: undefined, announced: null }
  let newest: Message | undefined
  let drops = 0
  const socket: DuetSocket = connectDevice(url, token)
  const chat = createChat({
    viewerId: () => person.id,
    list: {
      read: () => conversations,
      write: (list) => {
        conversations = list
      },
    },
    selection: {
      getState: () => selection,
      setState: (change) => {
        selection = { ...selection, ...change }
      },
    },
    socket: () => socket,
    call: callsTo(url, token) as never,
    storage: indexedDbStorage(createStore(storage, 'messages')),
    tabs: heardTabs(person.id, storage, (kind, message) => {
      if (kind === 'taken') ledger.acknowledged(message.id)
      else newest = message
    }),
  })
  const stopChat = chat.start()
  const stopAsking = wire(chat, socket)
  socket.on('disconnect', () => drops++)
  const find = (peerId: string) => conversations?.find(({ id }) => id === peerId)
  const look = (peerId: string | null) => {
    selection = { ...selection, selectedId: peerId }
    chat.list.change((known) => [...known])
  }

  return {
    person,
    name,
    write(to, text) {
      newest = undefined
      look(to)
      const went = chat.send(text)
      look(null)
      const written = newest as Message | undefined
      if (!went || !written) return undefined
      ledger.wrote({ id: written.id, from: person.id, to, text })
      return written.id
    },
    read: (peerId) => chat.read(peerId),
    thread: (peerId) =>
      find(peerId)?.messages?.map(({ id, seq, delivery }) => ({ id, seq, failed: delivery === 'failed' })),
    async open(peerId) {
      const tryOnce = async () => {
        const opened = socket.connected && (await chat.pages.open(peerId))
        look(null)
        return Boolean(opened)
      }
      if (!(await until(tryOnce, standstillMs))) throw new Error(`${name} cannot open a conversation`)
    },
    unread: (peerId) => find(peerId)?.unreadCount ?? 0,
    waiting: () => chat.outbox.waiting().filter(({ delivery }) => delivery !== 'failed').length,
    isConnected: () => socket.connected,
    drops: () => drops,
    async close() {
      stopAsking()
      stopChat()
      socket.disconnect()
    },
  }
}
