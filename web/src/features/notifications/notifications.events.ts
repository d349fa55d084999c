import type { EventHandlers } from '../../platform/socket.ts'
import { keepNotification } from './notifications.api.ts'
import { notificationsKey } from './notifications.keys.ts'

/** What happens to the list when the server tells of a notification. */
export const notificationHandlers = {
  notification: ({ queryClient }, notification) => keepNotification(queryClient, notification),
  notifications_changed: ({ queryClient }) => void queryClient.invalidateQueries({ queryKey: notificationsKey }),
} satisfies Partial<EventHandlers>
