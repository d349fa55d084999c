import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../platform/toast.ts'
import { chatOf } from '../browser-chat.ts'
import type { Conversation } from '../chat/conversation-list.ts'
import { messagesOf } from '../message/albums.ts'
import { useTarget } from '../thread-target.ts'
import type { Row } from './thread-row.tsx'
import type { LogVirtualizer } from './use-thread-scroll.ts'

const shineTime = 1_500
const forget = () => useTarget.setState({ target: null })

/** Loads the messages around the requested one if necessary. Returns the key of the highlighted message. */
export function useGoTo({ id }: Conversation, rows: readonly Row[], virtualizer: LogVirtualizer): string | undefined {
  const { t } = useTranslation('thread')
  const queryClient = useQueryClient()
  const seq = useTarget(({ target }) => (target?.id === id ? target.seq : undefined))
  const [shining, setShining] = useState<string>()
  const asked = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (seq === undefined) return
    const wanted = (row: Row | undefined) => messagesOf(row).find(({ message }) => message.seq === seq)
    const index = rows.findIndex((row) => wanted(row))
    if (index >= 0) {
      asked.current = undefined
      virtualizer.scrollToIndex(index, { align: 'center' })
      setShining(wanted(rows[index])?.key)
      forget()
    } else if (asked.current !== seq) {
      asked.current = seq
      const give = () => {
        forget()
        toast.error(t('cannotShow'))
      }
      chatOf(queryClient)
        .pages.jumpTo(id, seq)
        .then((found) => found || give(), give)
    }
  }, [seq, rows, virtualizer, queryClient, id, t])
  useEffect(() => {
    if (!shining) return
    const timer = setTimeout(() => setShining(undefined), shineTime)
    return () => clearTimeout(timer)
  }, [shining])
  return shining
}
