import type { OpenAck } from '@duet/contract/conversations.ts'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { getSocket } from '../../platform/socket.ts'
import { ask } from './ask.ts'
import {
  addMessages,
  type Conversation,
  clearUnread,
  firstUnreadSeq,
  mergeConversations,
  newestSeq,
} from './conversation-list.ts'
import { changeConversations, conversationsKey, knownConversations, useSelection } from './conversations.ts'

const find = (queryClient: QueryClient, id: string) =>
  knownConversations(queryClient).find((conversation) => conversation.id === id)

/** Tells the server that the conversation with `id` was read, and sets its count to 0. */
export function markAsRead(queryClient: QueryClient, id: string): void {
  const userId = useSession.getState().user?.id
  changeConversations(queryClient, (list) => clearUnread(list, id))
  const socket = getSocket()
  if (socket?.connected && userId) socket.emit('mark_as_read', { conversationId: id, userId })
}

/** Opens the conversation with somebody: the server gets or creates it. The result is null when that fails. */
export async function openConversation(queryClient: QueryClient, id: string): Promise<Conversation | null> {
  const unread = find(queryClient, id)?.unreadCount ?? 0
  const already = useSelection.getState().selectedId === id
  useSelection.setState({ selectedId: id, ...(already ? {} : { newFromSeq: undefined }) })
  if (unread > 0) markAsRead(queryClient, id)
  const conversation = await fetchOrCreate(queryClient, id)
  if (conversation && unread > 0) showDivider(conversation, unread)
  return conversation
}

function showDivider(conversation: Conversation, unread: number): void {
  const viewerId = useSession.getState().user?.id ?? ''
  if (useSelection.getState().selectedId !== conversation.id) return
  useSelection.setState({ newFromSeq: firstUnreadSeq(conversation.messages ?? [], viewerId, unread) })
}

async function fetchOrCreate(queryClient: QueryClient, id: string): Promise<Conversation | null> {
  try {
    const answer = await askFor(id)
    if ('error' in answer) throw new Error(answer.error.code)
    const known = find(queryClient, id) ?? (await strangerAs(id))
    const last = answer.messages.at(-1) ?? known.lastMessage
    const opened = { ...known, messages: answer.messages, lastMessage: last, unreadCount: 0 }
    queryClient.setQueryData<Conversation[]>(conversationsKey, (list = []) => mergeConversations(list, [opened]))
    return find(queryClient, id) ?? null
  } catch (error) {
    console.error('The conversation could not be fetched or created.', error)
    return null
  }
}

function askFor(withUser: string): Promise<OpenAck> {
  const socket = getSocket()
  if (socket) return ask(socket, 'get_or_create_conversation', { withUser })
  console.error('Socket not connected.')
  return Promise.reject(new Error('There is no connection.'))
}

/** The first look at a conversation with somebody who is not in the list yet. */
async function strangerAs(id: string): Promise<Conversation> {
  const { name, photos, active } = await call('GET /api/user/:id', { params: { id } })
  const user = { id, name, photo: photos[0] ?? null, isOnline: active === 'online', isTyping: false }
  return { id, user, lastMessage: null, unreadCount: 0, readSeq: 0 }
}

/** Reads the page before the oldest message that is known. */
export async function loadOlder(queryClient: QueryClient, id: string): Promise<void> {
  const before = find(queryClient, id)?.messages?.[0]?.seq
  if (before === undefined || before <= 1) return
  const page = await call('GET /api/conversations/:userId/messages', { params: { userId: id }, query: { before } })
  changeConversations(queryClient, (list) => addMessages(list, id, page.messages))
}

/** Reads what was missed: everything after the newest message that came without a hole. */
export async function fillGap(queryClient: QueryClient, id: string, after: number): Promise<void> {
  const page = await call('GET /api/conversations/:userId/messages', {
    params: { userId: id },
    query: { after, limit: 100 },
  })
  changeConversations(queryClient, (list) => addMessages(list, id, page.messages))
  const conversation = find(queryClient, id)
  const reached = page.messages.at(-1)?.seq ?? after
  if (page.hasMore && conversation && reached > after && reached < newestSeq(conversation))
    await fillGap(queryClient, id, reached)
}
