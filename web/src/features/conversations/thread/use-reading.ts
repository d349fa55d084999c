import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { followLookedAt, isLookedAt } from '../../../platform/looked-at.ts'
import { useSession } from '../../../platform/session.ts'
import { chatOf } from '../browser-chat.ts'
import type { Conversation } from '../chat/conversation-list.ts'
import { useSelection } from '../conversations.ts'

export function useReading({ id, messages = [] }: Conversation, atEnd: boolean): void {
  const queryClient = useQueryClient()
  const viewerId = useSession((state) => state.user?.id)
  const newest = messages.findLast(({ senderId }) => senderId !== viewerId)?.seq ?? 0
  // Opening the conversation has already marked the earlier messages as read.
  const seen = useRef(newest)
  useEffect(() => {
    if (!newest || !atEnd) return
    const look = () => {
      if (!isLookedAt() || newest <= seen.current) return
      seen.current = newest
      chatOf(queryClient).read(id)
    }
    look()
    return followLookedAt(look)
  }, [id, newest, atEnd, queryClient])
  useEffect(() => () => useSelection.setState({ newFromSeq: undefined }), [])
}
