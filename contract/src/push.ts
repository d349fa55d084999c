import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp } from './ids.ts'
import { TimeZone } from './notifications.ts'
import { rateLimits } from './rate-limits.ts'

/** So many bytes in base64url, without padding. */
const bytes = (count: number) =>
  z
    .string()
    .regex(/^[\w-]*$/, 'must be base64url')
    .length(Math.ceil((count * 4) / 3))

/** What a browser's `PushSubscription.toJSON()` gives, and no more (RFC 8030, RFC 8291). */
const Subscription = z.strictObject({
  endpoint: z.url({ protocol: /^https$/ }).max(1_000),
  keys: z.strictObject({ p256dh: bytes(65), auth: bytes(16) }),
  timeZone: TimeZone,
})

const PushDevice = z.object({
  id: z.string(),
  device: z.string(),
  since: Timestamp,
  /** Whether this call comes from it. */
  current: z.boolean(),
})
export type PushDevice = z.infer<typeof PushDevice>

export const getPush = endpoint({
  method: 'GET',
  path: '/api/push',
  summary: 'My devices that are pushed to, and the key that a browser subscribes with (RFC 8292).',
  access: 'member',
  response: z.object({
    /** Base64url; null where the operator has switched push off. */
    publicKey: z.string().nullable(),
    devices: z.array(PushDevice),
  }),
})

export const putPushSubscription = endpoint({
  method: 'PUT',
  path: '/api/push/subscription',
  summary: 'Push to the browser this call comes from. It ends when its session does.',
  access: 'member',
  limit: rateLimits.pushDevices,
  body: Subscription,
  response: Done,
  errors: ['rate_limited'],
})

export const deletePushDevice = endpoint({
  method: 'DELETE',
  path: '/api/push/devices/:id',
  summary: 'Push to one of my devices no longer.',
  access: 'member',
  limit: rateLimits.pushDevices,
  params: z.object({ id: z.string() }),
  response: Done,
  errors: ['not_found', 'rate_limited'],
})

export const testPush = endpoint({
  method: 'POST',
  path: '/api/push/test',
  summary: 'Push a test to the browser this call comes from. Says whether its push service took it.',
  access: 'member',
  limit: rateLimits.pushTests,
  response: z.object({ sent: z.boolean() }),
  errors: ['not_found', 'rate_limited'],
})

export const pushEndpoints = [getPush, putPushSubscription, deletePushDevice, testPush] as const

/** What a push says, encrypted for the browser that shows it. Levels of the lock screen leave out what they hide. */
export const PushMessage = z.object({
  /** Of the notification. */
  id: z.string(),
  /** A kind of notification, 'news' where none is named, or 'test'. */
  kind: z.string(),
  params: z.record(z.string(), z.string()),
  /** Where a click leads. */
  link: z.string(),
  language: z.string(),
  /** Ids of what was pushed and is unread. What a device still shows beside them has been read elsewhere. */
  unread: z.array(z.string()),
})
export type PushMessage = z.infer<typeof PushMessage>
