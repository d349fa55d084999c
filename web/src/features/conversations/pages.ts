import type { Conversation as WireConversation } from '@duet/contract/conversations.ts'
import { ask } from './ask.ts'
import type { ChatContext } from './chat.ts'
import { changeThread, firstUnreadSeq } from './conversation-list.ts'
import { messageAt, runAround } from './messages.ts'
import { type Conversation, threadOf, unreadOf } from './thread.ts'
import { joinPage, type Page } from './thread-joins.ts'

const around = 25
/** How many pages are read at most to reach the first unread message on opening. */
const pagesToUnread = 4

interface PagesParts extends Pick<ChatContext, 'viewerId' | 'list' | 'selection' | 'socket' | 'call'> {
  read(id: string, seq?: number): void
  /** Looks whether something lacks: a page may have been read before what was heard meanwhile. */
  check(id: string): void
}

/** Reads conversations: opens them, and reads what lies before, after or around what is known. */
export function createPages({ viewerId, list, selection, socket, call, read, check }: PagesParts) {
  const loading = new Map<string, Promise<void>>()
  const find = (id: string) => list.read().find((conversation) => conversation.id === id)
  const join = (id: string, page: Page) => {
    list.change((known) => changeThread(known, id, (thread) => joinPage(thread, page)))
    check(id)
  }
  const focus = (id: string, seq: number | undefined) =>
    list.change((known) => changeThread(known, id, (thread) => ({ ...thread, focus: seq })))
  const edgesOf = (id: string) => {
    const run = find(id)?.messages?.filter(({ seq }) => seq !== undefined)
    return { first: run?.[0]?.seq, last: run?.at(-1)?.seq }
  }

  /** Reads the conversation with somebody that was selected: the server gets or creates it. Null when that fails. */
  async function open(id: string): Promise<Conversation | null> {
    const before = find(id)
    const unread = before ? unreadOf(before) : 0
    if (before && unread > 0) read(id, before.lastSeq)
    try {
      await getOrCreate(id)
      // What nobody had told of came with the page, and was opened with it.
      if (!before?.messages && selection.getState().selectedId === id) read(id)
      await reachUnread(id, unread)
    } catch (error) {
      console.error('The conversation could not be fetched or created.', error)
      return null
    }
    return find(id) ?? null
  }

  async function getOrCreate(id: string): Promise<void> {
    const line = socket()
    if (!line) {
      console.error('Socket not connected.')
      throw new Error('There is no connection.')
    }
    const asOf = find(id)?.revision
    const answer = await ask(line, 'get_or_create_conversation', { withUser: id })
    if ('error' in answer) throw new Error(answer.error.code)
    if (!find(id)) list.merge([await stranger(id)])
    join(id, { messages: answer.messages, asOf, isNewest: true })
  }

  /** The first look at a conversation with somebody who is not in the list yet. */
  async function stranger(id: string): Promise<WireConversation> {
    const { name, photos, active } = await call('GET /api/user/:id', { params: { id } })
    const user = { id, name, photo: photos[0] ?? null, isOnline: active === 'online', isTyping: false }
    const marks = { unreadCount: 0, readSeq: 0, deliveredSeq: 0, myReadSeq: 0, lastSeq: 0, revision: 0 }
    return { id, user, lastMessage: null, ...marks, muted: false, archived: false, matched: false, isRequest: false }
  }

  /** Puts the divider before the first unread message, and reads older pages until it is there. */
  async function reachUnread(id: string, unread: number): Promise<void> {
    const theirs = () => find(id)?.messages?.filter(({ senderId }) => senderId === id).length ?? 0
    for (let page = 0; page < pagesToUnread && unread > theirs() && (edgesOf(id).first ?? 1) > 1; page += 1)
      await older(id)
    if (unread === 0 || selection.getState().selectedId !== id) return
    selection.setState({ newFromSeq: firstUnreadSeq(find(id)?.messages ?? [], viewerId(), unread) })
  }

  // Scrolling asks many times for the same page.
  function once(key: string, load: () => Promise<void>): Promise<void> {
    const under = loading.get(key)
    if (under) return under
    const loaded = load().finally(() => loading.delete(key))
    loading.set(key, loaded)
    return loaded
  }

  const pageOf = async (id: string, query: { before?: number; after?: number; limit?: number }) => {
    const conversation = find(id)
    const asOf = conversation && threadOf(conversation).complete
    const { messages, hasMore } = await call('GET /api/conversations/:userId/messages', {
      params: { userId: id },
      query,
    })
    return { messages, hasMore, asOf: asOf ?? conversation?.revision }
  }

  /** Reads the page before the oldest message that shows. */
  const older = (id: string) =>
    once(`before ${id}`, async () => {
      const { first } = edgesOf(id)
      if (first !== undefined && first > 1) join(id, await pageOf(id, { before: first }))
    })

  /** Reads the page after the newest message that shows, where one has jumped into the past. */
  const newer = (id: string) =>
    once(`after ${id}`, async () => {
      const { last } = edgesOf(id)
      if (last === undefined || last >= (find(id)?.lastSeq ?? 0)) return
      const page = await pageOf(id, { after: last, limit: 50 })
      join(id, { ...page, isNewest: !page.hasMore })
    })

  /** Shows the part of a conversation that holds `seq`. Tells whether there is such a message. */
  async function jumpTo(id: string, seq: number): Promise<boolean> {
    const shows = find(id)?.messages?.some((message) => message.seq === seq)
    if (shows) return true
    const pages = await Promise.all([
      pageOf(id, { before: seq + 1, limit: around }),
      pageOf(id, { after: seq, limit: around }),
    ])
    for (const page of pages) join(id, page)
    const conversation = find(id)
    const known = conversation ? threadOf(conversation).known : []
    if (!messageAt(known, seq)) return false
    focus(id, seq)
    return true
  }

  /** Shows the newest messages again. */
  async function newest(id: string): Promise<void> {
    const conversation = find(id)
    if (!conversation) return
    const { known, tail } = threadOf(conversation)
    // What was read around the place one jumped to may have grown together with the newest page.
    if (tail === undefined || runAround(known, tail || 1).length === 0) await getOrCreate(id)
    focus(id, undefined)
  }

  /** Reads the page that ends with `seq` anew: addresses of photos and voice notes expire. */
  const refresh = (id: string, seq: number) =>
    once(`at ${id} ${seq}`, async () => join(id, await pageOf(id, { before: seq + 1 })))

  return { open, older, newer, jumpTo, newest, refresh }
}
