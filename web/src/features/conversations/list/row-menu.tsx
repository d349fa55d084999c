import { Archive, ArchiveRestore, Bell, BellOff, MailOpen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import type { MenuItem } from '../../../ui/overlay/menu-list.tsx'
import type { Conversation } from '../chat/conversation-list.ts'
import SpotMenu from '../spot-menu.tsx'
import type { Spot } from '../thread-acts.ts'
import { useConversationActs } from '../use-conversation-acts.ts'

export interface ChosenRow {
  conversation: Conversation
  spot: Spot
  row: HTMLElement
}

export default function RowMenu({ chosen, onClose }: { chosen: ChosenRow; onClose: () => void }) {
  const { t } = useTranslation('conversations')
  const [asking, setAsking] = useState(false)
  const { conversation, spot, row } = chosen
  const { remove } = useConversationActs(conversation)
  const { name } = conversation.user
  const close = () => {
    onClose()
    setTimeout(() => row.focus())
  }
  const items = useItems(conversation, close, () => setAsking(true))
  if (!asking) return <SpotMenu spot={spot} label={t('rowActs', { name })} items={items} onClose={close} />
  return (
    <Confirm
      open
      onOpenChange={close}
      title={t('removeTitle', { name })}
      description={t('removeText', { name })}
      act={t('remove')}
      onConfirm={async () => void (await remove())}
    />
  )
}

function useItems(conversation: Conversation, onClose: () => void, onRemove: () => void): MenuItem[] {
  const { t } = useTranslation('conversations')
  const { mute, archive, markRead } = useConversationActs(conversation)
  const { muted, archived, unreadCount } = conversation
  const Sound = muted ? Bell : BellOff
  const Box = archived ? ArchiveRestore : Archive
  const item = (label: string, icon: MenuItem['icon'], act: () => void): MenuItem => ({
    label,
    icon,
    onSelect: () => {
      act()
      onClose()
    },
  })
  const read = item(t('markRead'), <MailOpen aria-hidden="true" />, markRead)
  return [
    ...(unreadCount > 0 ? [read] : []),
    item(muted ? t('unmute') : t('mute'), <Sound aria-hidden="true" />, () => void mute(!muted)),
    item(archived ? t('unarchive') : t('archive'), <Box aria-hidden="true" />, () => void archive(!archived)),
    { label: t('remove'), icon: <Trash2 aria-hidden="true" />, danger: true, onSelect: onRemove },
  ]
}
