import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Conversation } from './conversation-list.ts'
import { loadOlder } from './conversations.api.ts'

const nearEnd = 80
const nearStart = 240

interface Before {
  height: number
  firstId: string | undefined
  lastId: string | undefined
  divider: boolean
}

/**
 * Where the thread stands: it opens at the divider or the end, follows new messages only when it is at the end,
 * always shows what the viewer sends, and stays put when older messages come in above.
 */
export function useThreadScroll({ id, messages = [], user }: Conversation, viewerId: string, newFromSeq?: number) {
  const queryClient = useQueryClient()
  const ref = useRef<HTMLDivElement>(null)
  const before = useRef<Before>(undefined)
  const atEnd = useRef(true)
  const [away, setAway] = useState(false)
  const [below, setBelow] = useState(0)
  const [loading, setLoading] = useState(false)
  const first = messages[0]
  const last = messages.at(-1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the typing bubble makes the thread longer, too
  useLayoutEffect(() => {
    const log = ref.current
    if (!log) return
    const was = before.current
    const divider = newFromSeq !== undefined
    const prepended = was && was.firstId !== first?.id && was.lastId === last?.id
    const appended = was && was.lastId !== last?.id
    const sent = appended && last?.senderId === viewerId
    if (divider && !was?.divider) centre(log, log.querySelector('[data-new]'))
    else if (prepended && !atEnd.current) log.scrollTop += log.scrollHeight - was.height
    else if (!was || atEnd.current || sent) log.scrollTop = log.scrollHeight
    else if (appended) setBelow((count) => count + 1)
    before.current = { height: log.scrollHeight, firstId: first?.id, lastId: last?.id, divider }
  }, [first?.id, last?.id, last?.senderId, viewerId, newFromSeq, user.isTyping])

  const readOlder = () => {
    if (loading || !first?.seq || first.seq <= 1) return
    setLoading(true)
    loadOlder(queryClient, id)
      .catch((error: unknown) => console.error('Older messages could not be read.', error))
      .finally(() => setLoading(false))
  }
  const onScroll = () => {
    const log = ref.current
    if (!log) return
    const left = log.scrollHeight - log.scrollTop - log.clientHeight
    atEnd.current = left <= nearEnd
    setAway(left > log.clientHeight / 2)
    if (atEnd.current) setBelow(0)
    if (log.scrollTop < nearStart) readOlder()
  }
  const jump = () => ref.current?.scrollTo({ top: ref.current.scrollHeight })
  return { ref, onScroll, away: away || below > 0, below, loading, jump }
}

/** Puts `part` into the middle of the log. Unlike scrollIntoView, it leaves the page around the log where it is. */
function centre(log: HTMLElement, part: Element | null): void {
  if (!part) return
  const above = part.getBoundingClientRect().top - log.getBoundingClientRect().top
  log.scrollTop += above - log.clientHeight / 2
}
