import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { chatOf } from '../browser-chat.ts'
import { type Conversation, hasNewer, hasOlder, newestSeq } from '../chat/conversation-list.ts'
import { keyOf } from '../chat/messages.ts'

/** The next page loads when its edge is within this many screen heights. */
const ahead = 1.5

/**
 * Loads older and newer pages before the viewer reaches them. Before loading older messages, adds the key of the first
 * message to `starts`, so that its album doesn't grow upwards.
 */
export function usePages(conversation: Conversation, log: RefObject<HTMLDivElement | null>, starts: Set<string>) {
  const queryClient = useQueryClient()
  const [loading, setLoading] = useState(false)
  const busy = useRef(false)
  const load = (which: 'older' | 'newer') => {
    busy.current = true
    setLoading(true)
    const top = conversation.messages?.[0]
    if (which === 'older' && top) starts.add(keyOf(top))
    chatOf(queryClient)
      .pages[which](conversation.id)
      .catch((error: unknown) => console.error('Could not load more messages.', error))
      .finally(() => {
        busy.current = false
        setLoading(false)
      })
  }
  const look = () => {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = log.current ?? {}
    if (busy.current || clientHeight === 0) return
    const reach = clientHeight * ahead
    if (scrollTop < reach && hasOlder(conversation)) load('older')
    else if (scrollHeight - scrollTop - clientHeight < reach && hasNewer(conversation)) load('newer')
  }
  const newest = useRef(look)
  newest.current = look
  const first = conversation.messages?.[0]?.seq
  const last = newestSeq(conversation)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a short page may require loading another
  useEffect(() => {
    // Wait until the thread has set its initial scroll position.
    const timer = setTimeout(() => newest.current(), 100)
    return () => clearTimeout(timer)
  }, [first, last])
  return { loading, look }
}
