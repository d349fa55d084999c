import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RealtimeContext } from '../../platform/socket.ts'
import { presenceHandlers } from '../presence/presence.events.ts'
import type { Conversation } from './conversation-list.ts'
import { conversationHandlers } from './conversations.events.ts'
import { conversationsKey, useSelection } from './conversations.ts'

const user = { id: 'maya', name: 'Maya', photo: null, isOnline: false, isTyping: false }
const maya = { id: 'maya', user, lastMessage: null, unreadCount: 0, readSeq: 0 }
const timestamp = '2026-01-01T12:00:00.000Z'
const ids = { id: 'm1', senderId: 'maya', receiverId: 'me', conversationId: 'maya' }
const hello = { ...ids, message: 'Hello', timestamp, status: 'sent' as const, seq: 1 }

const queryClient = new QueryClient()
const context = { queryClient, viewerId: 'me' } as RealtimeContext
const shown = () => queryClient.getQueryData<Conversation[]>(conversationsKey)?.[0]

beforeEach(() => {
  vi.useFakeTimers()
  useSelection.setState({ selectedId: null, announced: null })
  queryClient.clear()
  conversationHandlers.conversations(context, [maya])
})
afterEach(() => vi.useRealTimers())

it('keeps the conversations that the server tells', () => expect(shown()).toEqual(maya))

it('counts and announces an incoming message', () => {
  conversationHandlers['private message'](context, hello)
  expect(shown()).toMatchObject({ unreadCount: 1, lastMessage: hello })
  expect(useSelection.getState().announced).toEqual({ name: 'Maya', text: 'Hello' })
})

it('does not count a message in the selected conversation', () => {
  useSelection.setState({ selectedId: 'maya' })
  conversationHandlers['private message'](context, hello)
  expect(shown()?.unreadCount).toBe(0)
})

it('lets typing expire after six seconds', () => {
  presenceHandlers.typing(context, { senderId: 'maya' })
  expect(shown()?.user.isTyping).toBe(true)
  vi.advanceTimersByTime(5_999)
  expect(shown()?.user.isTyping).toBe(true)
  vi.advanceTimersByTime(1)
  expect(shown()?.user.isTyping).toBe(false)
})

it('clears typing when told so', () => {
  presenceHandlers.typing(context, { senderId: 'maya' })
  presenceHandlers.stop_typing(context, { senderId: 'maya' })
  expect(shown()?.user.isTyping).toBe(false)
})

it('follows who is online', () => {
  presenceHandlers.user_online(context, [{ id: 'maya' }])
  expect(shown()?.user.isOnline).toBe(true)
  presenceHandlers.user_online(context, [])
  expect(shown()?.user.isOnline).toBe(false)
})
