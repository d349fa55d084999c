import type { Notification } from '@duet/contract/notifications.ts'
import { by } from '@duet/contract/order.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { notificationsKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'
import { keepTold } from '../../platform/query/keep-told.ts'
import { type Trials, useTried } from '../../platform/query/trials.ts'

export const notificationsNewestFirst = (list: readonly Notification[]): Notification[] =>
  list.toSorted(by(({ timestamp }) => -Date.parse(timestamp)))

export const keepNotification = (queryClient: QueryClient, notification: Notification): Promise<void> =>
  keepTold<Notification[]>(queryClient, notificationsKey, (list) =>
    list ? notificationsNewestFirst([notification, ...list.filter(({ id }) => id !== notification.id)]) : list,
  )

export interface NotificationChange {
  read?: readonly string[]
  gone?: readonly string[]
}

export const notificationTrials: Trials<Notification[], NotificationChange> = {
  queryKey: notificationsKey,
  apply: (list, { read = [], gone = [] }) =>
    list
      .filter(({ id }) => !gone.includes(id))
      .map((item) => (item.read || !read.includes(item.id) ? item : { ...item, read: true })),
}

export function useNotifications() {
  const { data, ...query } = useQuery({
    queryKey: notificationsKey,
    queryFn: async ({ signal }) =>
      notificationsNewestFirst((await call('GET /api/notifications', { signal })).notifications),
  })
  return { ...query, data: useTried(notificationTrials, data) }
}
