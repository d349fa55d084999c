import { ArrowLeft, EllipsisVertical } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../../platform/address/address.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { Face } from '../../../ui/photo/face.tsx'
import { ShareDate } from '../../dates/dates.tsx'
import { UnmatchConfirm } from '../../matches/matches.tsx'
import { useProfile } from '../../profiles/profiles.ts'
import { BlockConfirm } from '../../safety/safety.tsx'
import type { Conversation } from '../chat/conversation-list.ts'
import { useHeaderActs } from './use-header-acts.tsx'

interface ThreadHeaderProps {
  conversation?: Conversation | undefined
  /** True if the list is beside the thread, so that no Back button is needed. */
  isPlace?: boolean
  onBack: () => void
  onFind?: () => void
}

export function ThreadHeader({ conversation, isPlace, onBack, onFind }: ThreadHeaderProps) {
  const { t } = useTranslation('thread')
  return (
    <header
      className={classNames(
        'flex min-h-16 flex-none items-center gap-2 border-b border-line px-3 py-2.5',
        isPlace && 'ps-5',
      )}
    >
      {!isPlace && (
        <IconButton label={t('back')} icon={<ArrowLeft aria-hidden="true" className="mirror" />} onClick={onBack} />
      )}
      {conversation && <Who conversation={conversation} />}
      {conversation && onFind && <Acts {...{ conversation, onFind }} onGone={onBack} />}
    </header>
  )
}

function Who({ conversation: { id, user: peer } }: { conversation: Conversation }) {
  const { t } = useTranslation('thread')
  const { data: profile } = useProfile(id)
  const km = profile?.distanceKm
  const presence = [peer.isOnline && t('conversations:online'), km && t('within', { km })].filter(Boolean).join(' · ')
  return (
    <Link to={`/profile/${id}`} className="flex min-h-11 min-w-0 items-center gap-3 rounded-s">
      <Face name={peer.name} photo={peer.photo} online={peer.isOnline} />
      <span className="min-w-0">
        <span className="block font-[620]">
          <span dir="auto" className="inline-block max-w-full truncate align-bottom">
            {peer.name}
          </span>
        </span>
        <span className="block truncate text-xs text-ink-2">
          {peer.isTyping ? <span className="text-accent">{t('conversations:typing')}</span> : presence || profile?.area}
        </span>
      </span>
    </Link>
  )
}

interface ActsProps {
  conversation: Conversation
  onFind: () => void
  onGone: () => void
}

function Acts({ conversation, onFind, onGone }: ActsProps) {
  const { t } = useTranslation('thread')
  const [asking, setAsking] = useState<'unmatch' | 'block' | 'date'>()
  const items = useHeaderActs({ conversation, onFind, onAsk: setAsking, onGone })
  const person = { id: conversation.id, name: conversation.user.name }
  const close = () => setAsking(undefined)
  const trigger = <IconButton label={t('more')} icon={<EllipsisVertical aria-hidden="true" />} className="ms-auto" />
  return (
    <>
      <Menu trigger={trigger} items={items} />
      <UnmatchConfirm open={asking === 'unmatch'} onOpenChange={close} person={person} onEnded={onGone} />
      <ShareDate open={asking === 'date'} onOpenChange={close} person={person} />
      <BlockConfirm open={asking === 'block'} onOpenChange={close} person={person} onBlocked={onGone} />
    </>
  )
}
