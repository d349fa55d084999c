import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../platform/session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Composer } from './composer.tsx'
import type { Conversation } from './conversation-list.ts'
import { markAsRead } from './conversations.api.ts'
import { useConversations, useSelection } from './conversations.ts'
import { Log } from './log.tsx'
import { ThreadHeader } from './thread-header.tsx'
import { useOpen } from './use-open.ts'

/** One conversation: who it is with, what was said, where to write. */
export function Thread({ id, onBack }: { id: string; onBack: () => void }) {
  const { t } = useTranslation('conversations')
  const { data } = useConversations()
  const conversation = data?.find((known) => known.id === id)
  const { failed, retry } = useOpen(id, data !== undefined)
  useReading(conversation)
  return (
    <>
      <ThreadHeader id={id} peer={conversation?.user} onBack={onBack} />
      {conversation?.messages ? (
        <Log conversation={conversation} />
      ) : (
        <div className="min-h-0 flex-1">
          {failed ? <ErrorState text={t('cannotOpen')} onRetry={retry} /> : <ThreadSkeleton />}
        </div>
      )}
      <Composer id={id} ready={conversation !== undefined} />
    </>
  )
}

function ThreadSkeleton() {
  return (
    <div aria-hidden="true" className="flex h-full flex-col justify-end gap-2 p-4">
      <Skeleton className="h-11 w-3/5 rounded-l" />
      <Skeleton className="h-16 w-2/3 rounded-l" />
      <Skeleton className="h-11 w-1/2 self-end rounded-l" />
    </div>
  )
}

/** Tells the server that what arrives here was read, while somebody is looking. */
function useReading(conversation: Conversation | undefined): void {
  const queryClient = useQueryClient()
  const viewerId = useSession((state) => state.user?.id)
  const id = conversation?.id
  const newest = conversation?.messages?.findLast(({ senderId }) => senderId !== viewerId)?.seq ?? 0
  const unread = conversation?.unreadCount ?? 0
  const seen = useRef<number>(undefined)
  useEffect(() => {
    if (!id || !newest) return
    seen.current ??= newest
    const look = () => {
      const looking = document.visibilityState === 'visible' && document.hasFocus()
      if (!looking || (newest <= (seen.current ?? 0) && unread === 0)) return
      seen.current = newest
      markAsRead(queryClient, id)
    }
    look()
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [id, newest, unread, queryClient])
  useEffect(() => () => useSelection.setState({ newFromSeq: undefined }), [])
}
