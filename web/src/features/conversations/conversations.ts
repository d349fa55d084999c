import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useRoute } from 'wouter'
import { whenForgotten } from '../../cache/forget-person.ts'
import { conversationsKey } from '../../cache/keys.ts'
import { navigate } from '../../platform/address/address.tsx'
import { followLookedAt, isLookedAt } from '../../platform/looked-at.ts'
import { chatOf } from './browser-chat.ts'
import { type Conversation, setOnline, setTyping, totalUnread } from './chat/conversation-list.ts'
import { unreadOf } from './chat/thread.ts'
import { changeConversations, knownConversations, useSelection } from './conversation-cache.ts'
import { useMedia } from './use-media.ts'

export { knownConversations, useSelection } from './conversation-cache.ts'

/** My conversations, as the server and the live events tell them. */
export function useConversations() {
  return useQuery<Conversation[]>({
    queryKey: conversationsKey,
    queryFn: async ({ client, signal }) => {
      await chatOf(client).sync.load(signal)
      return [...knownConversations(client)]
    },
    // Once they are here the live connection keeps them: what was missed comes by its cursor.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}

const wide = '(min-width: 1024px)'
/** Whether the window has room for conversations beside something else. */
export const isWide = () => window.matchMedia(wide).matches
export const useIsWide = () => useMedia(wide)

/** Opens the conversation with someone: under its address where chats are, and on narrow windows; else beside the screen. */
export function useOpenChat(): (id: string) => void {
  const [talking] = useRoute('/chat/:id?')
  return (id) => {
    if (isWide() && !talking) useSelection.setState({ selectedId: id })
    else navigate(`/chat/${id}`)
  }
}

/** The unread total for badges. While nobody looks at the page, it includes the open chat. */
export function useWaitingTotal(): number {
  const { data = [] } = useConversations()
  const isSeen = useSyncExternalStore(followLookedAt, isLookedAt)
  return isSeen ? totalUnread(data) : data.reduce((sum, conversation) => sum + unreadOf(conversation), 0)
}

/** How many messages are unread, all conversations together. */
export function useUnreadTotal(): number {
  const { data } = useConversations()
  return totalUnread(data ?? [])
}

/** Changes who is online, or whether someone is typing. */
export function changePresence(
  queryClient: QueryClient,
  change: { online: readonly { id: string }[] } | { id: string; isTyping: boolean },
): void {
  changeConversations(queryClient, (list) =>
    'online' in change ? setOnline(list, change.online) : setTyping(list, change.id, change.isTyping),
  )
}

/** Takes a conversation out of the list, as after a block. */
export function removeConversation(queryClient: QueryClient, id: string): void {
  if (useSelection.getState().selectedId === id) useSelection.setState({ selectedId: null })
  changeConversations(queryClient, (list) => list.filter((conversation) => conversation.id !== id))
}
whenForgotten(removeConversation)
