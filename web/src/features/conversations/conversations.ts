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

export function useConversations() {
  return useQuery<Conversation[]>({
    queryKey: conversationsKey,
    queryFn: async ({ client, signal }) => {
      await chatOf(client).sync.load(signal)
      return [...knownConversations(client)]
    },
    // Never stale: live events keep the list up to date, and missed changes are fetched with a cursor.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}

const wide = '(min-width: 1024px)'
export const isWide = () => window.matchMedia(wide).matches
export const useIsWide = () => useMedia(wide)

/**
 * Navigates on the chats screen and in narrow windows; elsewhere, opens the conversation in the panel beside the
 * current screen.
 */
export function useOpenChat(): (id: string) => void {
  const [talking] = useRoute('/chat/:id?')
  return (id) => {
    if (isWide() && !talking) useSelection.setState({ selectedId: id })
    else navigate(`/chat/${id}`)
  }
}

/** The total unread count for badges. It includes the open chat while the page is hidden or unfocused. */
export function useWaitingTotal(): number {
  const { data = [] } = useConversations()
  const isSeen = useSyncExternalStore(followLookedAt, isLookedAt)
  return isSeen ? totalUnread(data) : data.reduce((sum, conversation) => sum + unreadOf(conversation), 0)
}

export function useUnreadTotal(): number {
  const { data } = useConversations()
  return totalUnread(data ?? [])
}

export function changePresence(
  queryClient: QueryClient,
  change: { online: readonly { id: string }[] } | { id: string; isTyping: boolean },
): void {
  changeConversations(queryClient, (list) =>
    'online' in change ? setOnline(list, change.online) : setTyping(list, change.id, change.isTyping),
  )
}

export function removeConversation(queryClient: QueryClient, id: string): void {
  if (useSelection.getState().selectedId === id) useSelection.setState({ selectedId: null })
  changeConversations(queryClient, (list) => list.filter((conversation) => conversation.id !== id))
}
whenForgotten(removeConversation)
