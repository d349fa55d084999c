import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useMatch, useNavigate } from 'react-router'
import { create } from 'zustand'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import {
  type Conversation,
  type Message,
  mergeConversations,
  setOnline,
  setTyping,
  totalUnread,
} from './conversation-list.ts'

/** Where the conversations stand in the cache. */
export const conversationsKey = ['conversations'] as const

interface Selection {
  /** The other person of the conversation that is open, or null. */
  selectedId: string | null
  /** Where the divider before what was unread at the opening stands. */
  newFromSeq: number | undefined
  /** The newest message that came in, for the region that announces it. */
  announced: { name: string; text: string } | null
}

export const useSelection = create<Selection>()(() => ({ selectedId: null, newFromSeq: undefined, announced: null }))

/** The conversations that are in memory. */
export const knownConversations = (queryClient: QueryClient): readonly Conversation[] =>
  queryClient.getQueryData<Conversation[]>(conversationsKey) ?? []

/** Changes the conversations in memory; before any were loaded there is nothing to change. */
export function changeConversations(
  queryClient: QueryClient,
  change: (list: readonly Conversation[]) => Conversation[],
): void {
  queryClient.setQueryData<Conversation[]>(conversationsKey, (list) => list && change(list))
}

/** My conversations, as the server and the live events tell them. */
export function useConversations() {
  return useQuery<Conversation[]>({
    queryKey: conversationsKey,
    queryFn: async ({ client, signal }) => {
      const received = await call('GET /api/messages/history', { signal })
      return mergeConversations(knownConversations(client), received)
    },
  })
}

/** Whether the messaging panel stands beside the screen. */
export const isWide = () => window.matchMedia('(min-width: 1024px)').matches

/** Opens the conversation with somebody: beside the screen on wide windows, in its place on narrow ones. */
export function useOpenChat(): (id: string) => void {
  const talking = useMatch('/chat/:id') !== null
  const navigate = useNavigate()
  return (id) => {
    if (isWide() && !talking) useSelection.setState({ selectedId: id })
    else void navigate(`/chat/${id}`)
  }
}

/** How many messages are unread, all conversations together. */
export function useUnreadTotal(): number {
  const { data } = useConversations()
  return totalUnread(data ?? [])
}

/** Changes who is online, or whether somebody is typing. */
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

/** The local storage key of what this person wrote and the server has not acknowledged. */
const outboxKey = () => `outbox:${useSession.getState().user?.id ?? ''}`

/** Own messages that the server has not acknowledged, oldest first; they survive a reload. */
export function readOutbox(): Message[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(outboxKey()) ?? '[]')
    return Array.isArray(stored) ? (stored as Message[]) : []
  } catch {
    return []
  }
}

const writeOutbox = (messages: readonly Message[]) =>
  messages.length > 0
    ? localStorage.setItem(outboxKey(), JSON.stringify(messages))
    : localStorage.removeItem(outboxKey())

/** Keeps a message until the server acknowledges it. */
export function keepInOutbox(message: Message): void {
  writeOutbox([...readOutbox().filter(({ id }) => id !== message.id), message])
}

/** Lets go of a message that arrived or was given up. */
export function dropFromOutbox(id: string): void {
  writeOutbox(readOutbox().filter((message) => message.id !== id))
}
