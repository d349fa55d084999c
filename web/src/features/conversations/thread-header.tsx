import type { Peer } from '@duet/contract/conversations.ts'
import { ArrowLeft, Ban, CircleUserRound, EllipsisVertical, HeartOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { Face } from '../../ui/face.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { UnmatchConfirm, useMatches } from '../matches/matches.tsx'
import { useProfile } from '../profiles/profiles.ts'
import { BlockConfirm } from '../safety/safety.tsx'

interface ThreadHeaderProps {
  id: string
  peer: Peer | undefined
  onBack: () => void
}

/** Whom I write with, and what else can be done. */
export function ThreadHeader({ id, peer, onBack }: ThreadHeaderProps) {
  const { t } = useTranslation('conversations')
  return (
    <header className="flex items-center gap-2 border-b border-line px-3 py-2.5">
      <IconButton label={t('back')} icon={<ArrowLeft aria-hidden="true" className="mirror" />} onClick={onBack} />
      {peer && <Who id={id} peer={peer} />}
      {peer && <Acts id={id} name={peer.name} onGone={onBack} />}
    </header>
  )
}

function Who({ id, peer }: { id: string; peer: Peer }) {
  const { t } = useTranslation('conversations')
  const { data: profile } = useProfile(id)
  const km = profile?.distanceKm
  const presence = [peer.isOnline && t('online'), km && t('within', { km })].filter(Boolean).join(' · ')
  return (
    <Link to={`/profile/${id}`} className="flex min-h-11 min-w-0 items-center gap-3 rounded-s">
      <Face name={peer.name} photo={peer.photo} online={peer.isOnline} />
      <span className="min-w-0">
        <span className="block truncate font-[620]">{peer.name}</span>
        <span className="block truncate text-xs text-ink-2">
          {peer.isTyping ? <span className="text-accent">{t('typing')}</span> : presence || profile?.area}
        </span>
      </span>
    </Link>
  )
}

function Acts({ id, name, onGone }: { id: string; name: string; onGone: () => void }) {
  const { t } = useTranslation('conversations')
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'unmatch' | 'block'>()
  const matched = useMatches().data?.some(({ user }) => user.id === id) ?? false
  const items = [
    {
      label: t('viewProfile'),
      icon: <CircleUserRound aria-hidden="true" />,
      onSelect: () => void navigate(`/profile/${id}`),
    },
    ...(matched
      ? [{ label: t('unmatch'), icon: <HeartOff aria-hidden="true" />, onSelect: () => setAsking('unmatch') }]
      : []),
    { label: t('block'), icon: <Ban aria-hidden="true" />, danger: true, onSelect: () => setAsking('block') },
  ]
  const close = () => setAsking(undefined)
  const trigger = <IconButton label={t('more')} icon={<EllipsisVertical aria-hidden="true" />} className="ms-auto" />
  return (
    <>
      <Menu trigger={trigger} items={items} />
      <UnmatchConfirm open={asking === 'unmatch'} onOpenChange={close} person={{ id, name }} onEnded={onGone} />
      <BlockConfirm open={asking === 'block'} onOpenChange={close} person={{ id, name }} onBlocked={onGone} />
    </>
  )
}
