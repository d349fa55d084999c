import { Bell } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { preloadTexts } from '../../platform/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { Popover } from '../../ui/overlay/popover.tsx'
import { closeRead } from '../push/push.tsx'
import { useNotifications } from './notifications.api.ts'

// The bell needs only the count, so the list loads separately. The popover opens once it has loaded.
const NotificationList = lazily(async () => {
  const [module] = await Promise.all([import('./notification-list.tsx'), preloadTexts('notifications')])
  return module
})

const insideDialog = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role="dialog"]') !== null

// Closes the popover when the page scrolls, but not when its own list does.
function useHideOnMove(open: boolean, hide: () => void): void {
  useEffect(() => {
    if (!open) return
    const onScroll = (event: Event) => {
      if (!insideDialog(event.target)) hide()
    }
    window.addEventListener('scroll', onScroll, true)
    window.addEventListener('resize', hide)
    return () => {
      window.removeEventListener('scroll', onScroll, true)
      window.removeEventListener('resize', hide)
    }
  }, [open, hide])
}

export function NotificationsBell() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const [hide] = useState(() => () => setOpen(false))
  const { data } = useNotifications()
  const list = data ?? []
  const unread = list.filter((notification) => !notification.read).length
  useHideOnMove(open, hide)
  useEffect(() => {
    if (data) void closeRead((id) => data.some((one) => one.id === id && !one.read))
  }, [data])
  const bell = (
    <IconButton
      label={t('nav.notifications')}
      icon={<Bell aria-hidden="true" />}
      badge={<Badge count={unread} floating />}
    />
  )
  return (
    <Popover
      {...{ open }}
      onNear={NotificationList.near}
      onOpenChange={setOpen}
      label={t('nav.notifications')}
      trigger={bell}
      flush
      alignOffset={-48}
      className="w-[400px] max-md:w-[75vw] max-sm:w-screen max-sm:rounded-t-none"
    >
      <NotificationList onLeave={hide} />
    </Popover>
  )
}
