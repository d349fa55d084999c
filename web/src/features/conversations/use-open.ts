import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useSession } from '../../platform/session.ts'
import { openConversation } from './conversations.api.ts'

/** Opens a conversation when it shows, and again whenever the line comes back: what was missed comes along. */
export function useOpen(id: string, listed: boolean): { failed: boolean; retry: () => void } {
  const queryClient = useQueryClient()
  const live = useSession((state) => state.socketStatus === 'connected')
  const [failed, setFailed] = useState(false)
  const retry = useCallback(() => {
    setFailed(false)
    void openConversation(queryClient, id).then((conversation) => setFailed(conversation === null))
  }, [queryClient, id])
  useEffect(() => {
    // How much is unread is known from the list: it comes first.
    if (live && listed) retry()
  }, [live, listed, retry])
  return { failed, retry }
}
