import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { chatOf } from './browser-chat.ts'
import type { Conversation } from './chat/conversation-list.ts'

type Subject = Pick<Conversation, 'id' | 'lastSeq'>

export function useConversationActs({ id, lastSeq }: Subject) {
  const { t } = useTranslation('conversations')
  const queryClient = useQueryClient()
  const attempt = async (act: () => Promise<void>): Promise<boolean> => {
    try {
      await act()
      return true
    } catch {
      toast.error(t('changeFailed'))
      return false
    }
  }
  const change = (changes: { muted?: boolean; archived?: boolean; accepted?: true }) =>
    attempt(() => chatOf(queryClient).changeConversation(id, changes))
  return {
    mute: (muted: boolean) => change({ muted }),
    accept: () => change({ accepted: true }),
    archive: async (archived: boolean) => {
      if (!(await change({ archived }))) return
      const undo = { label: t('undo'), onUndo: () => void change({ archived: !archived }) }
      toast.success(archived ? t('archivedDone') : t('unarchivedDone'), { undo })
    },
    markRead: () => chatOf(queryClient).read(id, lastSeq),
    remove: () => attempt(() => chatOf(queryClient).unlist(id)),
  }
}
