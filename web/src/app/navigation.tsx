import { CircleUserRound, Compass, Heart, type LucideIcon, MessageCircle, Settings, ShieldCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useOwnFace } from '../features/accounts/accounts.ts'
import { useUnreadTotal } from '../features/conversations/conversations.ts'
import { useWaitingLikes } from '../features/likes/waiting-likes.api.ts'
import { NotificationsBell } from '../features/notifications/notifications.tsx'
import { Link, type LinkProps, useAddress } from '../platform/address/address.tsx'
import { useSession } from '../platform/session.ts'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Face } from '../ui/photo/face.tsx'
import { Wordmark } from '../ui/wordmark.tsx'
import { OfflineNote } from './offline-note.tsx'

const pill =
  'relative grid h-10 place-items-center rounded-full px-3.5 text-[15px] font-[540] text-ink-2 transition hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink after:absolute after:inset-x-0 after:-inset-y-0.5'
const round =
  'grid size-11 place-items-center rounded-full text-ink-2 transition hover:bg-sunken hover:text-ink active:scale-95 aria-[current=page]:text-ink'

export function NavigationBar() {
  const { t } = useTranslation('common')
  const user = useSession((state) => state.user)
  return (
    <header className="print:hidden sticky top-0 z-10 bg-[color-mix(in_srgb,var(--paper)_88%,transparent)] backdrop-blur-[14px]">
      <nav aria-label={t('nav.main')} className="flex h-(--nav) items-center gap-1 px-4 sm:px-6">
        <Link to="/home" aria-label="Duet" className="grid h-11 place-items-center rounded-s">
          <Wordmark />
        </Link>
        <div className="ms-6 hidden gap-0.5 sm:flex">
          <SectionLink to="/home" className={pill}>
            {t('nav.discover')}
          </SectionLink>
          <LikesPill />
          <ChatsPill />
          {user?.isSuperAdmin && (
            <SectionLink to="/admin" className={pill}>
              {t('nav.moderation')}
            </SectionLink>
          )}
        </div>
        <div className="ms-auto flex items-center gap-1">
          {user?.isSuperAdmin && (
            <SectionLink to="/admin" aria-label={t('nav.moderation')} className={classNames(round, 'sm:hidden')}>
              <ShieldCheck aria-hidden="true" />
            </SectionLink>
          )}
          <SectionLink to="/settings" aria-label={t('nav.settings')} className={round}>
            <Settings aria-hidden="true" />
          </SectionLink>
          <NotificationsBell />
          {user?.id && <OwnFaceLink id={user.id} name={user.name} />}
        </div>
      </nav>
      <OfflineNote />
    </header>
  )
}

function LikesPill() {
  const { t } = useTranslation('common')
  const waiting = useWaitingLikes()
  return (
    <SectionLink to="/likes" className={classNames(pill, 'grid-flow-col gap-2')}>
      {t('nav.likes')}
      <Badge count={waiting} />
    </SectionLink>
  )
}

function ChatsPill() {
  const { t } = useTranslation('common')
  const unread = useUnreadTotal()
  return (
    <SectionLink to="/chat" className={classNames(pill, 'grid-flow-col gap-2')}>
      {t('nav.chats')}
      <Badge count={unread} />
    </SectionLink>
  )
}

function OwnFaceLink({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('common')
  const photo = useOwnFace()
  return (
    <Link
      to={`/profile/${id}`}
      aria-label={t('nav.profile')}
      className="ms-1 grid size-11 place-items-center rounded-full"
    >
      <Face name={name} photo={photo} />
    </Link>
  )
}

export function BottomTabs() {
  const { t } = useTranslation('common')
  const unread = useUnreadTotal()
  const waiting = useWaitingLikes()
  const id = useSession((state) => state.user?.id)
  return (
    <nav
      aria-label={t('nav.sections')}
      className="print:hidden fixed inset-x-0 bottom-0 z-10 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      <Tab to="/home" icon={Compass} label={t('nav.discover')} />
      <Tab to="/likes" icon={Heart} label={t('nav.likes')} count={waiting} />
      <Tab to="/chat" icon={MessageCircle} label={t('nav.chats')} count={unread} />
      {id && <Tab to={`/profile/${id}`} icon={CircleUserRound} label={t('nav.me')} />}
    </nav>
  )
}

interface TabProps {
  to: string
  icon: LucideIcon
  label: string
  count?: number
}

function Tab({ to, icon: Icon, label, count = 0 }: TabProps) {
  return (
    <SectionLink
      to={to}
      className="grid h-(--tabs) place-content-center justify-items-center gap-0.5 text-xs font-[560] text-ink-2 transition active:scale-95 focus-visible:-outline-offset-4 aria-[current=page]:text-accent rounded-m"
    >
      <span className="relative">
        <Icon aria-hidden="true" />
        <Badge count={count} floating className="start-4.5 -top-2 ring-surface" />
      </span>
      {label}
    </SectionLink>
  )
}

function SectionLink(props: LinkProps) {
  const { pathname } = useAddress()
  const here = pathname === props.to || pathname.startsWith(`${props.to}/`)
  return <Link {...props} aria-current={here ? 'page' : undefined} />
}
