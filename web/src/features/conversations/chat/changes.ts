import type { Message as WireMessage } from '@duet/contract/conversations.ts'
import type { ChatContext } from './context.ts'
import { changeMessage, changeOne, changeThread, conversationOf } from './conversation-list.ts'
import { keyOf, type Message } from './messages.ts'
import type { Conversation, Trial } from './thread.ts'

export interface ConversationChanges {
  muted?: boolean
  archived?: boolean
  accepted?: true
}

/** Changes of messages and conversations. Each shows at once, and is taken back when the server refuses it. */
export function createChanges({ viewerId, list, call }: Pick<ChatContext, 'viewerId' | 'list' | 'call'>) {
  const paramsOf = (message: Message) => ({ userId: conversationOf(message, viewerId()), seq: message.seq ?? 0 })

  async function attempt(message: Message, change: Partial<Message>, request: () => Promise<WireMessage>) {
    const id = conversationOf(message, viewerId())
    const trial: Trial = { key: keyOf(message), change }
    const show = (trials: (before: readonly Trial[]) => readonly Trial[]) =>
      list.change((known) => changeThread(known, id, (thread) => ({ ...thread, trials: trials(thread.trials) })))
    show((before) => [...before, trial])
    try {
      const changed = await request()
      list.change((known) => changeMessage(known, changed, viewerId()))
    } finally {
      show((before) => before.filter((other) => other !== trial))
    }
  }

  const edit = (message: Message, text: string) =>
    attempt(message, { message: text, editedAt: new Date().toISOString() }, () =>
      call('PATCH /api/conversations/:userId/messages/:seq', { params: paramsOf(message), body: { message: text } }),
    )

  const remove = (message: Message) => {
    const nothing = { message: '', reactions: [], deletedAt: new Date().toISOString() }
    // Undefined takes them out, which exact optional types cannot say.
    const gone = { ...nothing, replyTo: undefined, attachment: undefined } as unknown as Partial<Message>
    return attempt(message, gone, () =>
      call('DELETE /api/conversations/:userId/messages/:seq', { params: paramsOf(message) }),
    )
  }

  const react = (message: Message, emoji: string | null) => {
    const userId = viewerId()
    const others = (message.reactions ?? []).filter((reaction) => reaction.userId !== userId)
    const reactions = emoji === null ? others : [...others, { userId, emoji }]
    return attempt(message, { reactions }, () =>
      call('PUT /api/conversations/:userId/messages/:seq/reaction', { params: paramsOf(message), body: { emoji } }),
    )
  }

  /** Mutes, archives or accepts a conversation. */
  async function change(id: string, { accepted, ...flags }: ConversationChanges): Promise<void> {
    const before = list.find(id)
    const put = (fields: Partial<Conversation>) =>
      list.change((known) => changeOne(known, id, (conversation) => ({ ...conversation, ...fields })))
    put({ ...flags, ...(accepted && { isRequest: false }) })
    try {
      const body = { ...flags, ...(accepted && { accepted }) }
      list.merge([await call('PATCH /api/conversations/:userId', { params: { userId: id }, body })])
    } catch (error) {
      if (before) put({ muted: before.muted, archived: before.archived, isRequest: before.isRequest })
      throw error
    }
  }

  /** Takes a conversation off the list; a new message brings it back. */
  async function unlist(id: string): Promise<void> {
    const before = list.find(id)
    list.remove([id])
    try {
      await call('DELETE /api/conversations/:userId', { params: { userId: id } })
    } catch (error) {
      if (before) list.restore(before)
      throw error
    }
  }

  return { edit, remove, react, change, unlist }
}
