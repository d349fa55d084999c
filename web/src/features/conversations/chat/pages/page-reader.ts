import type { Conversation as WireConversation } from '@duet/contract/conversations.ts'
import { ask, within } from '../ask.ts'
import type { ChatContext } from '../context.ts'
import { changeThread } from '../conversation-list.ts'
import { threadOf } from '../thread.ts'
import { joinPage, type MessagePage } from '../thread-joins.ts'

/** How long a page may take, on the slowest of lines; then scrolling asks for it again. */
const patience = 60_000

export interface PageReaderParts extends Pick<ChatContext, 'list' | 'socket' | 'call'> {
  /** Looks whether something lacks: a page may have been read before what was heard meanwhile. */
  check(id: string): void
}

/** The first look at a conversation with someone who is not in the list yet. */
async function stranger(id: string, call: ChatContext['call']): Promise<WireConversation> {
  const { name, photos, active } = await call('GET /api/user/:id', { params: { id } })
  const user = { id, name, photo: photos[0] ?? null, isOnline: active === 'online', isTyping: false }
  const marks = { unreadCount: 0, readSeq: 0, deliveredSeq: 0, myReadSeq: 0, lastSeq: 0, revision: 0 }
  const flags = { muted: false, archived: false, matched: false, isRequest: false }
  return { id, user, lastMessage: null, lastAt: null, ...marks, ...flags }
}

/** Reads pages of messages from the server. */
export function createPageReader({ list, socket, call, check }: PageReaderParts) {
  function join(id: string, page: MessagePage): void {
    list.change((known) => changeThread(known, id, (thread) => joinPage(thread, page)))
    check(id)
  }

  /** Reads the page of those before or after a seq. */
  async function read(id: string, query: { before?: number; after?: number; limit?: number }) {
    const conversation = list.find(id)
    const asOf = conversation && threadOf(conversation).complete
    const { messages, hasMore } = await within(patience, (signal) =>
      call('GET /api/conversations/:userId/messages', { params: { userId: id }, query, signal }),
    )
    return { messages, hasMore, asOf: asOf ?? conversation?.revision }
  }

  /** Joins the newest page of the conversation with someone, which the server gets or creates. */
  async function joinNewest(id: string): Promise<void> {
    const line = socket()
    if (!line) {
      console.error('Socket not connected.')
      throw new Error('There is no connection.')
    }
    const asOf = list.find(id)?.revision
    const answer = await ask(line, 'get_or_create_conversation', { withUser: id })
    if ('error' in answer) throw new Error(answer.error.code)
    if (!list.find(id)) list.merge([await stranger(id, call)])
    join(id, { messages: answer.messages, asOf, isNewest: true })
  }

  return { read, join, joinNewest }
}

export type PageReader = ReturnType<typeof createPageReader>
