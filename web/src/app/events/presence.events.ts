import type { QueryClient } from '@tanstack/react-query'
import { changePresence } from '../../features/conversations/conversations.ts'
import type { EventHandlers } from '../../platform/socket/socket.ts'

const typingLasts = 6_000
const expiries = new Map<string, ReturnType<typeof setTimeout>>()

function show(queryClient: QueryClient, id: string, isTyping: boolean): void {
  clearTimeout(expiries.get(id))
  expiries.delete(id)
  changePresence(queryClient, { id, isTyping })
  // The indicator expires because the `stop_typing` event may get lost.
  if (isTyping)
    expiries.set(
      id,
      setTimeout(() => show(queryClient, id, false), typingLasts),
    )
}

export const presenceHandlers = {
  user_online: ({ queryClient }, online) => changePresence(queryClient, { online }),
  typing: ({ queryClient }, { senderId }) => show(queryClient, senderId, true),
  stop_typing: ({ queryClient }, { senderId }) => show(queryClient, senderId, false),
} satisfies Partial<EventHandlers>
