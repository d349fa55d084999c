import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../platform/copy-text.ts'
import { toast } from '../../../platform/toast.ts'
import { Extra } from '../../../ui/boundary.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { useReport } from '../../reports/reports.tsx'
import { BlockConfirm } from '../../safety/safety.tsx'
import type { Message } from '../chat/conversation-list.ts'
import { type Spot, useThread } from '../thread-acts.ts'
import { EmojiDialog } from './emoji-dialog.tsx'
import { actsOn, type MessageAct } from './message-rules.ts'

const MessageMenu = lazily(() => import('./message-menu.tsx'))

export interface Chosen {
  message: Message
  spot: Spot
  asking?: 'delete' | 'emoji' | 'block'
}

interface MessageActsProps {
  chosen: Chosen | undefined
  onChange: (chosen: Chosen | undefined) => void
  onDelete: (message: Message) => void
  onBlocked: () => void
  /** Returns the focus to the message when its menu is closed without a choice. */
  onDismiss: (message: Message) => void
}

export function MessageActs({ chosen, onChange, onDelete, onBlocked, onDismiss }: MessageActsProps) {
  const { t } = useTranslation('thread')
  const { peer } = useThread()
  // Keep the content in the dialog while it fades out.
  const [last, setLast] = useState(chosen)
  if (chosen && chosen !== last) setLast(chosen)
  if (!last) return null
  const close = () => {
    onChange(undefined)
    onDismiss(last.message)
  }
  const asking = (what: Chosen['asking']) => ({ open: chosen?.asking === what, onOpenChange: close })
  return (
    <>
      {chosen && !chosen.asking && <OpenMenu {...{ chosen, onChange, onBlocked }} onClose={close} />}
      <Confirm
        {...asking('delete')}
        title={t('deleteTitle')}
        description={t('deleteText', { name: peer.name })}
        act={t('act.delete')}
        onConfirm={() => onDelete(last.message)}
      />
      <ReactDialog {...asking('emoji')} message={last.message} />
      <BlockConfirm {...asking('block')} person={peer} onBlocked={onBlocked} />
    </>
  )
}

function ReactDialog({ message, ...dialog }: { message: Message; open: boolean; onOpenChange: () => void }) {
  const { react } = useThread()
  return dialog.open ? <EmojiDialog {...dialog} onChoose={(emoji) => react(message, emoji)} /> : null
}

interface OpenMenuProps {
  chosen: Chosen
  onChange: (chosen: Chosen | undefined) => void
  onClose: () => void
  onBlocked: () => void
}

function OpenMenu({ chosen, onChange, onClose, onBlocked }: OpenMenuProps) {
  const { viewerId, peer, react } = useThread()
  const report = useReport()
  const perform = useAct(onChange, onClose)
  const { message, spot } = chosen
  const mine = message.reactions?.find(({ userId }) => userId === viewerId)?.emoji
  const reportIt = () => {
    onClose()
    report({ userId: peer.id, name: peer.name, subject: { kind: 'message', seq: message.seq ?? 1 }, onBlocked })
  }
  const choose = (emoji: string | null) => {
    react(message, emoji)
    onClose()
  }
  return (
    <Extra onFail={onClose}>
      <MessageMenu
        {...{ spot, mine, onClose }}
        acts={actsOn(message, viewerId, Date.now())}
        onAct={(act) => (act === 'report' ? reportIt() : perform(act, chosen))}
        onReact={choose}
      />
    </Extra>
  )
}

function useAct(onChange: OpenMenuProps['onChange'], onClose: () => void) {
  const { t } = useTranslation('thread')
  const { reply, edit } = useThread()
  const copy = async (text: string) => {
    try {
      await copyText(text)
      toast.success(t('copied'))
    } catch {
      toast.error(t('notCopied'))
    }
  }
  return (act: MessageAct, chosen: Chosen) => {
    const { message } = chosen
    if (act === 'delete' || act === 'emoji' || act === 'block') return onChange({ ...chosen, asking: act })
    if (act === 'copy') {
      void copy(message.message)
      return onClose()
    }
    onChange(undefined)
    if (act === 'reply') reply(message)
    if (act === 'edit') edit(message)
  }
}
