import { ProblemError } from '../../../../platform/problem.ts'
import type { ChatContext } from '../context.ts'
import { firstUnreadSeq, hasOlder } from '../conversation-list.ts'
import { type Conversation, unreadOf } from '../thread.ts'
import type { PageReader } from './page-reader.ts'

/** How many older pages are fetched at most to reach the first unread message. */
const pagesToUnread = 4

interface OpeningParts extends Pick<ChatContext, 'viewerId' | 'list' | 'selection'> {
  joinNewest: PageReader['joinNewest']
  older(id: string): Promise<void>
  read(id: string, seq?: number): void
}

/** The server knows no such person, or they can't be written to; a retry wouldn't change that. */
const isGone = (error: unknown) =>
  error instanceof ProblemError ? error.code === 'not_found' : (error as Error).message === 'not_found'

export function createOpening({ viewerId, list, selection, joinNewest, older, read }: OpeningParts) {
  const isSelected = (id: string) => selection.getState().selectedId === id

  /** The server returns or creates the conversation. Resolves to null on failure. */
  async function open(id: string): Promise<Conversation | null> {
    const before = list.find(id)
    const unread = before ? unreadOf(before) : 0
    if (before && unread > 0) read(id, before.lastSeq)
    try {
      await joinNewest(id)
      if (selection.getState().goneId === id) selection.setState({ goneId: undefined })
      // The page brought messages that no row had announced, so they count as read now.
      if (!before?.messages && isSelected(id)) read(id)
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
