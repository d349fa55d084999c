import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { getSocket } from '../../platform/socket.ts'
import { type Chat, createChat } from './chat.ts'
import { changeConversations, conversationsKey, useSelection } from './conversation-cache.ts'
import type { Conversation } from './conversation-list.ts'
import { forgetDrafts } from './drafts.ts'
import { takeOldOutbox } from './old-outbox.ts'
import { memoryStorage, openStorage } from './outbox-storage.ts'
import { browserTabs, soloTabs } from './tabs.ts'

const chats = new WeakMap<QueryClient, Chat>()
const viewerId = () => useSession.getState().user?.id ?? ''

/** The chat of whoever is signed in on this page; it keeps its conversations in `queryClient`. */
export function chatOf(queryClient: QueryClient): Chat {
  const known = chats.get(queryClient)
  if (known) return known
  const id = viewerId()
  const chat = createChat({
    viewerId: () => id,
    list: {
      read: () => queryClient.getQueryData<Conversation[]>(conversationsKey),
      write: (list) => queryClient.setQueryData<Conversation[]>(conversationsKey, list),
    },
    selection: useSelection,
    // Whoever signs in next on this page has a line of their own: nothing of this person goes out by it.
    socket: () => (viewerId() === id ? getSocket() : null),
    call,
    storage: id ? openStorage() : memoryStorage(),
    tabs: id ? browserTabs(id) : soloTabs,
  })
  chats.set(queryClient, chat)
  // What did not change keeps its identity by itself; comparing thousands of messages place by place would only copy.
  queryClient.setQueryDefaults(conversationsKey, { structuralSharing: false })
  return chat
}

const every = 60_000
const settleFor = 300

/** Looks for what was missed whenever somebody comes back to the page, and once a minute while it shows. */
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

// Nothing that a person wrote stays behind on a device they sign out of.
function followSignOut(chat: Chat, id: string): () => void {
  return useSession.subscribe(({ leftId }) => {
    if (leftId !== id) return
    void chat.outbox.clear()
    forgetDrafts(id)
  })
}

/** Keeps the chat going as long as somebody is signed in. Returns how to stop. */
export function startChat(queryClient: QueryClient): () => void {
  const id = viewerId()
  const chat = chatOf(queryClient)
  const stops = [
    chat.start(takeOldOutbox(id)),
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
