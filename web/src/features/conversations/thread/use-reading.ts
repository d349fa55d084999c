import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSession } from '../../../platform/session.ts'
import { chatOf } from '../browser-chat.ts'
import type { Conversation } from '../chat/conversation-list.ts'
import { useSelection } from '../conversations.ts'

/** Tells the server that what arrives here was read, while someone is looking at the end of the thread. */
export function useReading({ id, messages = [] }: Conversation, atEnd: boolean): void {
  const queryClient = useQueryClient()
  const viewerId = useSession((state) => state.user?.id)
  const newest = messages.findLast(({ senderId }) => senderId !== viewerId)?.seq ?? 0
  // What was there at the opening was read by opening it.
  const seen = useRef(newest)
  useEffect(() => {
    if (!newest || !atEnd) return
    const look = () => {
      const looking = document.visibilityState === 'visible' && document.hasFocus()
      if (!looking || newest <= seen.current) return
      seen.current = newest
      chatOf(queryClient).read(id)
    }
    look()
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [id, newest, atEnd, queryClient])
  useEffect(() => () => useSelection.setState({ newFromSeq: undefined }), [])
}
