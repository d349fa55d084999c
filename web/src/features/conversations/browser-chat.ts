import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { getSocket } from '../../platform/socket.ts'
import { type Chat, createChat } from './chat/chat.ts'
import type { Conversation } from './chat/conversation-list.ts'
import { memoryStorage, openStorage } from './chat/outbox/outbox-storage.ts'
import { browserTabs, soloTabs } from './chat/outbox/tabs.ts'
import { forgetDrafts } from './composer/drafts.ts'
import { changeConversations, useSelection } from './conversation-cache.ts'
import { conversationsKey } from './conversations.keys.ts'
import { forgetKeptEmoji } from './emoji/kept-emoji.ts'

const chats = new WeakMap<QueryClient, Chat>()
const viewerId = () => useSession.getState().user?.id ?? ''

/** The chat of the person signed in on this page; it keeps its conversations in `queryClient`. */
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
    // The next person to sign in on this page has a line of their own: nothing of this person goes out by it.
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

/** Looks for what was missed whenever someone comes back to the page, and once a minute while it shows. */
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
    forgetKeptEmoji(id)
  })
}

/** Keeps the chat going as long as someone is signed in. Returns how to stop. */
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
