import type { EventHandlers } from '../../platform/socket.ts'
import { keepNotification, notificationsKey } from './notifications.api.ts'

/** What happens to the list when the server tells of a notification. */
export const notificationHandlers = {
  notification: ({ queryClient }, notification) => keepNotification(queryClient, notification),
  notifications_changed: ({ queryClient }) => void queryClient.invalidateQueries({ queryKey: notificationsKey }),
} satisfies Partial<EventHandlers>
