import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useClearNotifications, useReadAllNotifications, useReadNotification } from './notification-changes.api.ts'
import { NotificationItem } from './notification-item.tsx'
import { useNotifications } from './notifications.api.ts'

const act =
  'relative rounded-s text-s font-[560] whitespace-nowrap text-accent after:absolute after:-inset-x-1.5 after:-inset-y-3 hover:underline disabled:text-ink-3 disabled:hover:no-underline'

// As tall as the window allows, minus space for a two-line toast below.
const whole = 'flex max-h-[calc(var(--radix-popover-content-available-height)-96px)] flex-col'
const scrolling = 'max-h-100 min-h-0 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2'

export default function NotificationList({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation(['notifications', 'common'])
  const [now] = useState(() => new Date())
  const { data: list, isError, isFetching, refetch } = useNotifications()
  const read = useReadNotification()
  const readAll = useReadAllNotifications()
  const clear = useClearNotifications()
  const isEmpty = !list?.length
  // A toast, because the popover may be closed when the request fails.
  const refused = () => toast.error(t('notKept'))
  const markAll = () => void readAll(list ?? []).then(() => toast.success(t('allRead')), refused)
  const clearAll = () => void clear(list ?? []).then(() => toast.info(t('cleared')), refused)
  return (
    <div className={whole}>
      <div className="flex flex-none flex-wrap items-baseline gap-x-4 gap-y-1.5 px-5 pt-4.5 pb-3.5">
        <h2 className="display me-auto text-xl">{t('common:nav.notifications')}</h2>
        <span className="flex gap-4">
          <button type="button" className={act} disabled={isEmpty} onClick={markAll}>
            {t('markAllAsRead')}
          </button>
          <button type="button" className={act} disabled={isEmpty} onClick={clearAll}>
            {t('clearAll')}
          </button>
        </span>
      </div>
      {!list && !isError && <SkeletonRows rows={3} />}
      {!list && isError && <ErrorState text={t('failed')} busy={isFetching} onRetry={() => refetch()} />}
      {list?.length === 0 && <EmptyState figure="bell" text={t('none')} />}
      {!isEmpty && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
        <ol className={scrolling} tabIndex={0}>
          {list.map((notification) => (
            <NotificationItem key={notification.id} {...{ notification, now, onLeave }} onRead={read} />
          ))}
        </ol>
      )}
    </div>
  )
}
