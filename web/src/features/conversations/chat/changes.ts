import type { Message as WireMessage } from '@duet/contract/conversations.ts'
import type { ChatContext } from './context.ts'
import { changeMessage, changeThread, conversationOf } from './conversation-list.ts'
import { keyOf, type Message } from './messages.ts'
import type { Flags, Thread, Trial } from './thread.ts'

export interface ConversationChanges {
  muted?: boolean
  archived?: boolean
  accepted?: true
}

interface ChangesNeed extends Pick<ChatContext, 'viewerId' | 'list' | 'call'> {
  refresh(): void
}

export function createChanges({ viewerId, list, call, refresh }: ChangesNeed) {
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
    // `undefined` deletes a field. The cast is needed because `exactOptionalPropertyTypes` forbids it.
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

  const inTurn = new Map<string, Promise<unknown>>()

  /** Changes to one conversation are sent one at a time, so that the last change wins. */
  async function change(id: string, { accepted, ...flags }: ConversationChanges): Promise<void> {
    const wanted: Partial<Flags> = { ...flags, ...(accepted && { isRequest: false }) }
    const put = (next: (thread: Thread) => Partial<Thread>) =>
      list.change((known) => changeThread(known, id, (thread) => ({ ...thread, ...next(thread) })))
    put((thread) => ({ wanted: [...thread.wanted, wanted] }))
    const body = { ...flags, ...(accepted && { accepted }) }
    const before = inTurn.get(id) ?? Promise.resolve()
    const sent = before.then(() => call('PATCH /api/conversations/:userId', { params: { userId: id }, body }))
    inTurn.set(
      id,
      sent.catch(() => undefined),
    )
    try {
      list.merge([await sent])
      // The list ignores rows older than its own, so apply the change that the server has saved.
      put((thread) => ({ flags: { ...thread.flags, ...wanted } }))
    } finally {
      put((thread) => ({ wanted: thread.wanted.filter((other) => other !== wanted) }))
    }
  }

  async function unlist(id: string): Promise<void> {
    const before = list.find(id)
    list.remove([id])
    try {
      await call('DELETE /api/conversations/:userId', { params: { userId: id } })
    } catch (error) {
      // If a newer row has arrived in the meantime, keep it. Events for an unlisted conversation were ignored, so
      // refetch.
      if (before && !list.find(id)) list.restore(before)
      refresh()
      throw error
    }
  }

  return { edit, remove, react, change, unlist }
}
