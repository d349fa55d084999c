import type { QueryClient } from '@tanstack/react-query'
import { type CallRequest, call } from '../../platform/call.ts'
import { chatOf } from './browser-chat.ts'
import type { ConversationChanges } from './changes.ts'
import type { Conversation, Message } from './conversation-list.ts'

/**
 * We have read the conversation with `id` up to `upToSeq`, or up to the newest message that shows. The server hears of
 * it when it did not know.
 */
export const markAsRead = (queryClient: QueryClient, id: string, upToSeq?: number): void =>
  chatOf(queryClient).read(id, upToSeq)

/** Opens the conversation with somebody: the server gets or creates it. The result is null when that fails. */
export const openConversation = (queryClient: QueryClient, id: string): Promise<Conversation | null> =>
  chatOf(queryClient).pages.open(id)

/** Reads the page before the oldest message that shows. */
export const loadOlder = (queryClient: QueryClient, id: string): Promise<void> => chatOf(queryClient).pages.older(id)

/** Reads the page after the newest message that shows, where one has jumped into the past. */
export const loadNewer = (queryClient: QueryClient, id: string): Promise<void> => chatOf(queryClient).pages.newer(id)

/** Shows the part of a conversation that holds `seq`. Tells whether there is such a message. */
export const loadAround = (queryClient: QueryClient, id: string, seq: number): Promise<boolean> =>
  chatOf(queryClient).pages.jumpTo(id, seq)

/** Shows the newest messages again. */
export const showNewest = (queryClient: QueryClient, id: string): Promise<void> => chatOf(queryClient).pages.newest(id)

/** Reads the page that ends with `seq` anew: addresses of photos and voice notes expire. */
export const refreshMessages = (queryClient: QueryClient, id: string, seq: number): Promise<void> =>
  chatOf(queryClient).pages.refresh(id, seq)

/** Changes the text of a message of mine. Shows at once; rejects, and shows the old text again, when it is refused. */
export const editMessage = (queryClient: QueryClient, message: Message, text: string): Promise<void> =>
  chatOf(queryClient).changes.edit(message, text)

/** Takes a message of mine back for both. Shows at once; rejects when it is refused. */
export const deleteMessage = (queryClient: QueryClient, message: Message): Promise<void> =>
  chatOf(queryClient).changes.remove(message)

/** Puts my emoji on a message, or takes it off with null. Shows at once; rejects when it is refused. */
export const reactToMessage = (queryClient: QueryClient, message: Message, emoji: string | null): Promise<void> =>
  chatOf(queryClient).changes.react(message, emoji)

/** Mutes, archives or accepts a conversation. Shows at once; rejects when it is refused. */
export const changeConversation = (queryClient: QueryClient, id: string, changes: ConversationChanges): Promise<void> =>
  chatOf(queryClient).changes.change(id, changes)

/** Takes a conversation off the list, until a new message brings it back. Rejects when it is refused. */
export const unlistConversation = (queryClient: QueryClient, id: string): Promise<void> =>
  chatOf(queryClient).changes.unlist(id)

/** Finds words in my conversations, newest first; with one person when `with` is given. */
export const searchMessages = (query: CallRequest<'GET /api/messages/search'>['query'], signal?: AbortSignal) =>
  call('GET /api/messages/search', { query, ...(signal && { signal }) })
