import type { Conversation as WireConversation } from '@duet/contract/conversations.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { conversationHandlers } from '../../app/events/conversations.events.ts'
import { presenceHandlers } from '../../app/events/presence.events.ts'
import { conversationsKey } from '../../cache/keys.ts'
import { useSession } from '../../platform/session.ts'
import type { RealtimeContext } from '../../platform/socket/socket.ts'
import { jun } from '../../test/render.tsx'
import type { Conversation } from './chat/conversation-list.ts'
import { useSelection } from './conversations.ts'
import { conversation, message } from './talk.test-people.ts'

const user = { id: 'maya', name: 'Maya', photo: null, isOnline: false, isTyping: false }
const maya = conversation('maya', { user }) as WireConversation
const hello = message(1, { message: 'Hello' })

const queryClient = new QueryClient()
const context = { queryClient, viewerId: 'me' } as RealtimeContext
const shown = () => queryClient.getQueryData<Conversation[]>(conversationsKey)?.[0]

beforeEach(() => {
  vi.useFakeTimers()
  useSelection.setState({ selectedId: null, announced: null })
  queryClient.clear()
  useSession.setState({ user: { ...jun, id: 'me' } })
  conversationHandlers.conversations(context, [maya])
})
afterEach(() => vi.useRealTimers())

it('Conversations from the server are stored', () => expect(shown()).toMatchObject(maya))

it('An incoming message is counted and announced', () => {
  conversationHandlers['private message'](context, hello)
  expect(shown()).toMatchObject({ unreadCount: 1, lastMessage: hello })
  expect(useSelection.getState().announced).toEqual({ id: 'maya', name: 'Maya', text: 'Hello', kind: 'text' })
})

it('After a possible gap in events, the open profile, matches and blocks are refetched', async () => {
  const keys = [['profile', 'maya'], ['matches'], ['blocks']]
  for (const key of keys) queryClient.setQueryData(key, {})
  conversationHandlers.resync(context, { withinMs: 1_000 })
  await vi.advanceTimersByTimeAsync(1_000)
  for (const key of keys) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true)
})

it('Repeated messages and muted conversations aren’t announced', () => {
  conversationHandlers['private message'](context, hello)
  useSelection.setState({ announced: null })
  conversationHandlers['private message'](context, hello)
  conversationHandlers.conversations(context, [{ ...maya, muted: true }])
  conversationHandlers['private message'](context, message(2))
  expect(useSelection.getState().announced).toBeNull()
})

it('A message in the selected conversation isn’t counted as unread', () => {
  useSelection.setState({ selectedId: 'maya' })
  conversationHandlers['private message'](context, hello)
  expect(shown()?.unreadCount).toBe(0)
})

it('The typing indicator disappears after six seconds', () => {
  presenceHandlers.typing(context, { senderId: 'maya' })
  expect(shown()?.user.isTyping).toBe(true)
  vi.advanceTimersByTime(5_999)
  expect(shown()?.user.isTyping).toBe(true)
  vi.advanceTimersByTime(1)
  expect(shown()?.user.isTyping).toBe(false)
})

it('A stop_typing event clears the typing indicator', () => {
  presenceHandlers.typing(context, { senderId: 'maya' })
  presenceHandlers.stop_typing(context, { senderId: 'maya' })
  expect(shown()?.user.isTyping).toBe(false)
})

it('A presence list sets who is online', () => {
  presenceHandlers.user_online(context, [{ id: 'maya' }])
  expect(shown()?.user.isOnline).toBe(true)
  presenceHandlers.user_online(context, [])
  expect(shown()?.user.isOnline).toBe(false)
})
