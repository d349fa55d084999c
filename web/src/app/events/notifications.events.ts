import { notificationsKey } from '../../cache/keys.ts'
import { keepNotification } from '../../features/notifications/notifications.api.ts'
import { readAnew } from '../../platform/query/keep-told.ts'
import type { EventHandlers } from '../../platform/socket/socket.ts'

export const notificationHandlers = {
  notification: ({ queryClient }, notification) => void keepNotification(queryClient, notification),
  notifications_changed: ({ queryClient }) => void readAnew(queryClient, { queryKey: notificationsKey }),
} satisfies Partial<EventHandlers>
