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
  /** The account has another address. Its link is /settings/account. */
  'address_changed',
  /** Someone signed in with a recovery code; `params.left` says how many are unused. Its link is /settings/account. */
  'recovery_code_used',
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

/** A time of day, without a date. */
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, like 22:30')

const timeZone = z.string().min(1).max(64)

/** The time zone of a device (IANA), like Europe/Madrid. */
export const TimeZone = timeZone.refine(isTimeZone, 'must be a time zone')

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** The same for each topic. */
const ofEach = <Topic extends string, T>(topics: readonly Topic[], one: T) =>
  Object.fromEntries(topics.map((topic) => [topic, one])) as Record<Topic, T>

const QuietHours = z
  .strictObject({ from: TimeOfDay, to: TimeOfDay })
  .refine(({ from, to }) => from !== to, 'must begin and end at different times')

/** What reaches a person, and where. */
export const NotificationPreferences = z.object({
  /** In the list of notifications. */
  inApp: z.record(z.enum(inAppTopics), z.boolean()),
  /** By push, on the devices that allow it. */
  push: z.record(z.enum(notificationTopics), z.boolean()),
  /** By mail, where it was neither read nor pushed by then. */
  email: z.record(z.enum(notificationTopics), z.enum(mailTimes)),
  lockScreen: z.enum(lockScreens),
  /** When nothing is pushed but what is about safety, in `timeZone`; what comes then waits for its end. */
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
    /** Without it, as it was. */
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
  /** A new notification, or a newer version of one with the same id. */
  notification: Notification,
  /** My notifications changed on another device: read the list again. */
  notifications_changed: z.object({}),
} as const
