import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp } from './ids.ts'
import { inAppTopics, lockScreens, mailTimes, notificationTopics } from './limits.ts'
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
  'address_changed',
  /**
   * Someone signed in with a recovery code. `params.left` is the number of unused codes. Links to /settings/account.
   */
  'recovery_code_used',
  /** A new sanction; GET /api/standing has the details. Links to /standing. */
  'sanctioned',
  'sanction_lifted',
  'appeal_decided',
  'report_upheld',
  'report_dismissed',
  'verification_approved',
  'verification_rejected',
  'verification_undecided',
  'verification_lost',
  /** Asks the person to check in after a shared date. Links to /dates. */
  'date_check_in',
  'export_ready',
])
export type NotificationKind = z.infer<typeof NotificationKind>

/** `title` and `message` are in English. Clients can produce a translation from `kind` and `params`. */
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

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, like 22:30')

const timeZone = z.string().min(1).max(64)

/** An IANA time zone, for example Europe/Madrid. */
export const TimeZone = timeZone.refine(isTimeZone, 'must be a time zone')

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const ofEach = <Topic extends string, T>(topics: readonly Topic[], one: T) =>
  Object.fromEntries(topics.map((topic) => [topic, one])) as Record<Topic, T>

const QuietHours = z
  .strictObject({ from: TimeOfDay, to: TimeOfDay })
  .refine(({ from, to }) => from !== to, 'must begin and end at different times')

export const NotificationPreferences = z.object({
  inApp: z.record(z.enum(inAppTopics), z.boolean()),
  push: z.record(z.enum(notificationTopics), z.boolean()),
  /** Emailed if the notification hasn't been read or pushed by then. */
  email: z.record(z.enum(notificationTopics), z.enum(mailTimes)),
  lockScreen: z.enum(lockScreens),
  /** In `timeZone`. During quiet hours, only safety notifications are pushed; the others are pushed afterwards. */
  quietHours: QuietHours.nullable(),
  timeZone,
})
export type NotificationPreferences = z.infer<typeof NotificationPreferences>

export const getNotificationPreferences = endpoint({
  method: 'GET',
  path: '/api/notifications/preferences',
  summary: 'What reaches me, where and when.',
  access: 'member',
  response: NotificationPreferences,
})

export const putNotificationPreferences = endpoint({
  method: 'PUT',
  path: '/api/notifications/preferences',
  summary: 'Choose what reaches me, where and when.',
  access: 'member',
  limit: rateLimits.notificationPreferences,
  body: z.strictObject({
    inApp: z.strictObject(ofEach(inAppTopics, z.boolean())).optional(),
    push: z.strictObject(ofEach(notificationTopics, z.boolean())),
    email: z.strictObject(ofEach(notificationTopics, z.enum(mailTimes))),
    lockScreen: z.enum(lockScreens),
    quietHours: QuietHours.nullable(),
    timeZone: TimeZone,
  }),
  response: NotificationPreferences,
  errors: ['rate_limited'],
})

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
  getNotificationPreferences,
  putNotificationPreferences,
] as const

export const notificationEvents = {
  notification: Notification,
  /** My notifications changed on another device. Request the list again. */
  notifications_changed: z.object({}),
} as const
