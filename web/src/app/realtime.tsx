import type { EventName, EventPayload } from '@duet/contract/realtime.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { conversationsKey } from '../cache/keys.ts'
import { ownDetailsKey } from '../features/accounts/accounts.ts'
import { startChat } from '../features/conversations/browser-chat.ts'
import { sendKeptDecisions } from '../features/likes/likes.ts'
import { followLooking } from '../features/presence/presence.ts'
import { followPush } from '../features/push/push.tsx'
import { call } from '../platform/call.ts'
import { problemCode } from '../platform/problem.ts'
import { useSession } from '../platform/session.ts'
import { connect, disconnect, type EventHandlers, type RealtimeContext } from '../platform/socket/socket.ts'
import { conversationHandlers, followLine } from './events/conversations.events.ts'
import { likeHandlers } from './events/likes.events.ts'
import { matchHandlers } from './events/matches.events.ts'
import { notificationHandlers } from './events/notifications.events.ts'
import { presenceHandlers } from './events/presence.events.ts'
import { keepForLater, leaveKept, restoreKept } from './kept.ts'

const handlers: EventHandlers = {
  ...conversationHandlers,
  ...presenceHandlers,
  ...notificationHandlers,
  ...likeHandlers,
  ...matchHandlers,
}
const eventNames = Object.keys(handlers) as EventName[]

function listen<E extends EventName>(context: RealtimeContext, name: E): void {
  const handle = (payload: EventPayload<E>) => handlers[name](context, payload)
  // socket.io's types can't follow a generic event name. The type of `handlers` already matches each name with its
  // payload.
  context.socket.on(name, handle as never)
}

/**
 * Refetches data that may have changed while the socket was disconnected. Conversations sync themselves. Queries with
 * `isOnRecord` are left out, because the server logs each fetch as a view by the administrator.
 */
export function refetchAll(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey, meta }) => queryKey[0] !== conversationsKey[0] && !meta?.isOnRecord,
  })
}

function openConnection(queryClient: QueryClient, viewerId: string, token: string): void {
  const socket = connect(token)
  const context = { queryClient, viewerId, socket }
  for (const name of eventNames) listen(context, name)
  followLooking(socket)
  let wasConnected = false
  socket.on('connect', () => {
    leaveKept(queryClient)
    void sendKeptDecisions(queryClient)
    if (wasConnected) refetchAll(queryClient)
    wasConnected = true
  })
  // Must come last, because it waits for the list request that `leaveKept` may have started.
  followLine(context)
}

async function loadOwnDetails(queryClient: QueryClient): Promise<void> {
  const user = await queryClient.fetchQuery({ queryKey: ownDetailsKey, queryFn: () => call('GET /api/user/myDetails') })
  const { id, name, images, isSuperAdmin, onboardingComplete } = user
  useSession.getState().amend(id, { name, images, isSuperAdmin, onboardingComplete })
}

/** How long to wait for the person's own details before opening the live connection, in ms. */
const patience = 5_000

export function useRealtime(): void {
  const queryClient = useQueryClient()
  const id = useSession((state) => state.user?.id)
  const token = useSession((state) => state.user?.token)
  useEffect(() => {
    if (!id || !token) return
    let left = false
    const stopChat = startChat(queryClient)
    const stopPush = followPush()
    const stopKeeping = keepForLater(queryClient, id)
    // Without a network, the request for the details would stay paused, so stored data is shown immediately.
    if (!navigator.onLine) void restoreKept(queryClient, id)
    const start = async () => {
      const loaded = loadOwnDetails(queryClient).catch((error: unknown) => {
        if (left) return
        console.error('Couldn’t load the person’s own details.', error)
        if (problemCode(error) === 'offline') void restoreKept(queryClient, id)
      })
      // If the request hangs, people must still get to their chats.
      await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, patience))])
      if (!left) openConnection(queryClient, id, token)
    }
    void start()
    return () => {
      left = true
      stopKeeping()
      stopChat()
      stopPush()
      disconnect()
    }
  }, [id, token, queryClient])
}
