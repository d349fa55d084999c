import { ProblemError } from '../../../../platform/problem.ts'
import type { ChatContext } from '../context.ts'
import { firstUnreadSeq, hasOlder } from '../conversation-list.ts'
import { type Conversation, unreadOf } from '../thread.ts'
import type { PageReader } from './page-reader.ts'

/** The most older pages to fetch while looking for the first unread message. */
const pagesToUnread = 4

interface OpeningParts extends Pick<ChatContext, 'viewerId' | 'list' | 'selection'> {
  joinNewest: PageReader['joinNewest']
  older(id: string): Promise<void>
  read(id: string, seq?: number): void
}

/** The person doesn't exist or can't be messaged. A retry wouldn't change that. */
const isGone = (error: unknown) =>
  error instanceof ProblemError ? error.code === 'not_found' : (error as Error).message === 'not_found'

export function createOpening({ viewerId, list, selection, joinNewest, older, read }: OpeningParts) {
  const isSelected = (id: string) => selection.getState().selectedId === id

  /** Opens a conversation, which the server creates if needed. Resolves to null on failure. */
  async function open(id: string): Promise<Conversation | null> {
    const before = list.find(id)
    const unread = before ? unreadOf(before) : 0
    if (before && unread > 0) read(id, before.lastSeq)
    try {
      await joinNewest(id)
      if (selection.getState().goneId === id) selection.setState({ goneId: undefined })
      // The row hadn't announced these messages. They are on screen now, so mark them as read.
      const shown = list.find(id)?.messages?.findLast(({ seq }) => seq !== undefined)?.seq
      if (!before?.messages && isSelected(id)) read(id, shown)
      await reachUnread(id, unread)
    } catch (error) {
      console.error('The conversation could not be fetched or created.', error)
      if (isGone(error)) selection.setState({ goneId: id, goneName: before?.user.name })
      return null
    }
    return list.find(id) ?? null
  }

  async function reachUnread(id: string, unread: number): Promise<void> {
    const isThere = ({ messages = [] }: Conversation) =>
      messages.filter(({ senderId, deletedAt }) => senderId === id && !deletedAt).length >= unread
    for (let page = 0; page < pagesToUnread; page += 1) {
      const conversation = list.find(id)
      if (!conversation || isThere(conversation) || !hasOlder(conversation)) break
      await older(id)
    }
    if (unread === 0 || !isSelected(id)) return
    selection.setState({ newFromSeq: firstUnreadSeq(list.find(id)?.messages ?? [], viewerId(), unread) })
  }

  return open
}
