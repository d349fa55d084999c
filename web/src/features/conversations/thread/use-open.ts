import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '../../../platform/session.ts'
import { chatOf } from '../browser-chat.ts'

/** If opening fails, tries again after reconnecting. */
export function useOpen(id: string, listed: boolean): { failed: boolean; retry: () => void } {
  const queryClient = useQueryClient()
  const live = useSession((state) => state.socketStatus === 'connected')
  const [failed, setFailed] = useState(false)
  const opened = useRef<string>(undefined)
  const retry = useCallback(() => {
    setFailed(false)
    opened.current = id
    void chatOf(queryClient)
      .pages.open(id)
      .then((conversation) => {
        if (conversation === null && opened.current === id) opened.current = undefined
        setFailed(conversation === null)
      })
  }, [queryClient, id])
  useEffect(() => {
    // Wait for the list, which contains the unread count. Later messages arrive as events.
    if (live && listed && opened.current !== id) retry()
  }, [live, listed, id, retry])
  return { failed, retry }
}
