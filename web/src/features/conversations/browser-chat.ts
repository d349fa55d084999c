import type { QueryClient } from '@tanstack/react-query'
import { conversationsKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'
import { whenLookedAt } from '../../platform/looked-at.ts'
import { permitted } from '../../platform/permitted.ts'
import { personalStore } from '../../platform/personal/stores.ts'
import { offlineProblem } from '../../platform/problem.ts'
import { useSession } from '../../platform/session.ts'
import { getSocket } from '../../platform/socket/socket.ts'
import { type Chat, createChat } from './chat/chat.ts'
import type { Conversation } from './chat/conversation-list.ts'
import { memoryStorage, openStorage } from './chat/outbox/outbox-storage.ts'
import { browserTabs, soloTabs } from './chat/outbox/tabs.ts'
import { changeConversations, useSelection } from './conversation-cache.ts'

const chats = new WeakMap<QueryClient, Chat>()
const viewerId = () => useSession.getState().user?.id ?? ''

export function chatOf(queryClient: QueryClient): Chat {
  const known = chats.get(queryClient)
  if (known) return known
  const id = viewerId()
  // If another person signs in on this page, requests of this chat must not use their token.
  const ownCall = ((...asked: Parameters<typeof call>) =>
    viewerId() === id ? call(...asked) : Promise.reject(offlineProblem())) as typeof call
  const chat = createChat({
    viewerId: () => id,
    list: {
      read: () => queryClient.getQueryData<Conversation[]>(conversationsKey),
      write: (list) => queryClient.setQueryData<Conversation[]>(conversationsKey, list),
    },
    selection: useSelection,
    socket: () => (viewerId() === id ? getSocket() : null),
    call: ownCall,
    storage: id ? openStorage(permitted(() => indexedDB && personalStore('outbox'))) : memoryStorage(),
    tabs: id ? browserTabs(id) : soloTabs,
    whenLookedAt,
  })
  chats.set(queryClient, chat)
  // React Query's structural sharing would compare thousands of messages on each update. It isn't needed, because
  // unchanged messages keep their identity.
  queryClient.setQueryDefaults(conversationsKey, { structuralSharing: false })
  return chat
}

const every = 60_000
const settleFor = 300

function followAttention(chat: Chat): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') chat.sync.soon(settleFor)
  }
  const minute = setInterval(look, every)
  for (const event of ['online', 'focus'] as const) window.addEventListener(event, look)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(minute)
    for (const event of ['online', 'focus'] as const) window.removeEventListener(event, look)
    document.removeEventListener('visibilitychange', look)
  }
}

// A chat keeps messages in memory after its person signs out. They must not be stored again.
function followSignOut(chat: Chat, id: string): () => void {
  return useSession.subscribe(({ user }) => {
    if (user?.id !== id) void chat.outbox.clear()
  })
}

export function startChat(queryClient: QueryClient): () => void {
  const id = viewerId()
  const chat = chatOf(queryClient)
  const stops = [
    chat.start(),
    followAttention(chat),
    followSignOut(chat, id),
    useSelection.subscribe((now, before) => {
      if (now.selectedId !== before.selectedId) changeConversations(queryClient, (list) => [...list])
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
