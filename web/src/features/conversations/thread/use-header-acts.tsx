import {
  Archive,
  ArchiveRestore,
  Ban,
  Bell,
  BellOff,
  CircleUserRound,
  Flag,
  HeartOff,
  MapPin,
  Search,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { navigate } from '../../../platform/address/address.tsx'
import type { MenuItem } from '../../../ui/overlay/menu-list.tsx'
import { useMatches } from '../../matches/matches.tsx'
import { useReport } from '../../reports/reports.tsx'
import type { Conversation } from '../chat/conversation-list.ts'
import { useConversationActs } from '../use-conversation-acts.ts'

interface HeaderActs {
  conversation: Conversation
  onFind: () => void
  onAsk: (what: 'unmatch' | 'block' | 'date') => void
  onGone: () => void
}

export function useHeaderActs({ conversation, onFind, onAsk, onGone }: HeaderActs): MenuItem[] {
  const { t } = useTranslation('thread')
  const report = useReport()
  const { id, muted, archived, user } = conversation
  const { mute, archive } = useConversationActs(conversation)
  const matched = useMatches().data?.some(({ user }) => user.id === id) ?? conversation.matched
  const Sound = muted ? Bell : BellOff
  const Box = archived ? ArchiveRestore : Archive
  const toggleArchived = () => {
    void archive(!archived)
    if (!archived) onGone()
  }
  return [
    {
      label: t('viewProfile'),
      icon: <CircleUserRound aria-hidden="true" />,
      onSelect: () => navigate(`/profile/${id}`),
    },
    { label: t('shareDate'), icon: <MapPin aria-hidden="true" />, onSelect: () => onAsk('date') },
    { label: t('search'), icon: <Search aria-hidden="true" />, onSelect: onFind },
    { label: muted ? t('unmute') : t('mute'), icon: <Sound aria-hidden="true" />, onSelect: () => void mute(!muted) },
    { label: archived ? t('unarchive') : t('archive'), icon: <Box aria-hidden="true" />, onSelect: toggleArchived },
    ...(matched
      ? [{ label: t('unmatch'), icon: <HeartOff aria-hidden="true" />, onSelect: () => onAsk('unmatch') }]
      : []),
    {
      label: t('report'),
      icon: <Flag aria-hidden="true" />,
      onSelect: () => report({ userId: id, name: user.name, subject: { kind: 'profile' }, onBlocked: onGone }),
    },
    { label: t('block'), icon: <Ban aria-hidden="true" />, danger: true, onSelect: () => onAsk('block') },
  ]
}
