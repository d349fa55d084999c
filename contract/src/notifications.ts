import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp } from './ids.ts'
import { rateLimits } from './rate-limits.ts'

export const NotificationKind = z.enum([
  'welcome',
  'message',
  'nearby',
  'like',
  'match',
  'photo_approved',
  'photo_rejected',
  'new_sign_in',
  /** A sanction; GET /api/standing says which and why. Its link is /standing. */
  'sanctioned',
  'sanction_lifted',
  'appeal_decided',
  'report_upheld',
  'report_dismissed',
  'verification_approved',
  'verification_rejected',
  'verification_undecided',
  'verification_lost',
  /** Whether one is well, after a date that was shared. Its link is /dates. */
  'date_check_in',
  /** What was asked for in GET /api/export can be fetched. Its link is /settings/data. */
  'export_ready',
])
export type NotificationKind = z.infer<typeof NotificationKind>

/** `title` and `message` are English; `kind` and `params` let a client say the same in its own language. */
export const Notification = z.object({
  id: z.string(),
  kind: NotificationKind,
  params: z.record(z.string(), z.string()),
  title: z.string(),
  message: z.string(),
  type: z.enum(['success', 'warning', 'error', 'message', 'info']),
  timestamp: Timestamp,
  read: z.boolean(),
  link: z.string().optional(),
})
export type Notification = z.infer<typeof Notification>

const NotificationList = z.object({ notifications: z.array(Notification) })

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  summary: 'My notifications, newest first.',
  access: 'member',
  response: NotificationList,
})

export const readNotification = endpoint({
  method: 'PATCH',
  path: '/api/notifications/:id',
  summary: 'Mark one notification read.',
  access: 'member',
  limit: rateLimits.notificationChanges,
  params: z.object({ id: z.string() }),
  body: z.strictObject({ read: z.literal(true) }),
  response: Notification,
  errors: ['not_found', 'rate_limited'],
})

export const readAllNotifications = endpoint({
  method: 'PATCH',
  path: '/api/notifications',
  summary: 'Mark all notifications read.',
  access: 'member',
  limit: rateLimits.notificationChanges,
  body: z.strictObject({ read: z.literal(true) }),
  response: NotificationList,
  errors: ['rate_limited'],
})

export const clearNotifications = endpoint({
  method: 'DELETE',
  path: '/api/notifications',
  summary: 'Delete all my notifications.',
  access: 'member',
  limit: rateLimits.notificationChanges,
  response: Done,
  errors: ['rate_limited'],
})

export const notificationEndpoints = [
  listNotifications,
  readNotification,
  readAllNotifications,
  clearNotifications,
] as const

export const notificationEvents = {
  /** A new notification, or a newer version of one with the same id. */
  notification: Notification,
  /** My notifications changed on another device: read the list again. */
  notifications_changed: z.object({}),
} as const
