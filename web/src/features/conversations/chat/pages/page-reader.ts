import type { Conversation as WireConversation } from '@duet/contract/conversations.ts'
import { ask, within } from '../ask.ts'
import type { ChatContext } from '../context.ts'
import { changeThread } from '../conversation-list.ts'
import { threadOf } from '../thread.ts'
import { joinPage, type MessagePage } from '../thread-joins.ts'

/** Request timeout in milliseconds, for the slowest connections. Scrolling requests the page again afterwards. */
const patience = 60_000

export interface PageReaderParts extends Pick<ChatContext, 'list' | 'socket' | 'call'> {
  /** Checks for missing messages, because events may have arrived after the server read the page. */
  check(id: string): void
}

async function stranger(id: string, call: ChatContext['call']): Promise<WireConversation> {
  const { name, photos, active } = await call('GET /api/user/:id', { params: { id } })
  const user = { id, name, photo: photos[0] ?? null, isOnline: active === 'online', isTyping: false }
  const marks = { unreadCount: 0, readSeq: 0, deliveredSeq: 0, myReadSeq: 0, lastSeq: 0, revision: 0 }
  const flags = { muted: false, archived: false, matched: false, isRequest: false }
  return { id, user, lastMessage: null, lastAt: null, ...marks, ...flags }
}

export function createPageReader({ list, socket, call, check }: PageReaderParts) {
  function join(id: string, page: MessagePage): void {
    list.change((known) => changeThread(known, id, (thread) => joinPage(thread, page)))
    check(id)
  }

  async function read(id: string, query: { before?: number; after?: number; limit?: number }) {
    const conversation = list.find(id)
    const asOf = conversation && threadOf(conversation).complete
    const { messages, hasMore } = await within(patience, (signal) =>
      call('GET /api/conversations/:userId/messages', { params: { userId: id }, query, signal }),
    )
    return { messages, hasMore, asOf: asOf ?? conversation?.revision }
  }

  /** The server creates the conversation if needed. */
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
