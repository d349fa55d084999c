import type { Notification } from '@duet/contract/notifications.ts'
import { useQueryClient } from '@tanstack/react-query'
import {
  Bell,
  Check,
  CircleAlert,
  Heart,
  Info,
  type LucideIcon,
  MapPin,
  MessageCircle,
  TriangleAlert,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { navigate } from '../../platform/address/address.tsx'
import { relativeTime } from '../../platform/time.ts'
import { classNames } from '../../ui/class-names.ts'
import { Face } from '../../ui/photo/face.tsx'
import { knownConversations } from '../conversations/conversations.ts'

// The server may send types that this version of the app doesn't know. They get the default icon and colour.
const looks: Partial<Record<string, { icon: LucideIcon; colour: string }>> = {
  success: { icon: Check, colour: 'text-good' },
  warning: { icon: TriangleAlert, colour: 'text-warn' },
  error: { icon: CircleAlert, colour: 'text-bad' },
  message: { icon: MessageCircle, colour: 'text-accent' },
  info: { icon: Info, colour: 'text-ink' },
}
// Kinds with an icon of their own, which replaces the icon of their type.
const kindLooks: typeof looks = {
  like: { icon: Heart, colour: 'text-accent' },
  match: { icon: Heart, colour: 'text-accent [&_.lucide]:fill-current' },
  nearby: { icon: MapPin, colour: 'text-accent' },
}
const defaultLook = { icon: Bell, colour: 'text-ink-2' }

interface NotificationItemProps {
  notification: Notification
  now: Date
  onRead: (id: string) => void
  onLeave: () => void
}

/** Clicking a notification marks it as read and logs its link to the console. Only the small button opens the link. */
export function NotificationItem({ notification, now, onRead, onLeave }: NotificationItemProps) {
  const { t, i18n } = useTranslation('notifications')
  const { id, kind, params, read, link, type } = notification
  const peer = usePeer(link)
  const { icon: Icon, colour } = kindLooks[kind] ?? looks[type] ?? defaultLook
  const say = (part: 'title' | 'message') => {
    const key = `kind.${kind}.${part}`
    return i18n.exists(key, { ns: 'notifications' }) ? t(key, params) : notification[part]
  }
  const choose = () => {
    if (!read) onRead(id)
    if (link) console.info(link)
  }
  return (
    <li className={classNames('relative', !read && 'bg-[color-mix(in_srgb,var(--accent-soft)_45%,transparent)]')}>
      {!read && <span aria-hidden="true" className="absolute start-2 top-7.5 size-1.5 rounded-full bg-accent" />}
      <button
        type="button"
        onClick={choose}
        className="flex w-full gap-3.5 px-5 py-3.5 text-start transition hover:bg-sunken/50 focus-visible:-outline-offset-2"
      >
        {peer ? (
          <Face name={peer.name} photo={peer.photo} />
        ) : (
          <span className={classNames('grid size-10 flex-none place-items-center rounded-full bg-sunken', colour)}>
            <Icon aria-hidden="true" className="size-5" />
          </span>
        )}
        <span className={classNames('min-w-0 flex-1', link && 'pb-8')}>
          <span className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 font-semibold wrap-break-word">{say('title')}</span>
            <time dateTime={notification.timestamp} className="flex-none text-xs whitespace-nowrap text-ink-2">
              {relativeTime(notification.timestamp, now, t, i18n.language)}
            </time>
          </span>
          <span className="block text-s wrap-break-word text-ink-2">{say('message')}</span>
          {!read && <span className="sr-only">{t('unread')}</span>}
        </span>
      </button>
      {link && <GoButton link={link} onLeave={onLeave} />}
    </li>
  )
}

function usePeer(link: string | undefined) {
  const queryClient = useQueryClient()
  return knownConversations(queryClient).find(({ id }) => link === `/chat/${id}`)?.user
}

const actOf = (link: string) => {
  if (link === '/likes') return 'seeLikes'
  if (link === '/standing') return 'openStanding'
  if (link.startsWith('/settings')) return 'openSettings'
  if (link === '/dates') return 'checkIn'
  return link.startsWith('/chat/') ? 'openChat' : 'viewProfile'
}

function GoButton({ link, onLeave }: { link: string; onLeave: () => void }) {
  const { t } = useTranslation('notifications')
  const go = () => {
    onLeave()
    navigate(link)
  }
  return (
    <button
      type="button"
      onClick={go}
      className="absolute start-[68px] bottom-1 flex h-11 items-center rounded-s px-1.5 text-s font-[580] text-accent hover:underline"
    >
      {t(actOf(link))}
    </button>
  )
}
