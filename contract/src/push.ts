import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp } from './ids.ts'
import { TimeZone } from './notifications.ts'
import { rateLimits } from './rate-limits.ts'

/** Matches exactly `count` bytes in base64url without padding. */
const bytes = (count: number) =>
  z
    .string()
    .regex(/^[\w-]*$/, 'must be base64url')
    .length(Math.ceil((count * 4) / 3))

/** The fields of `PushSubscription.toJSON()` that the server needs (RFC 8030, RFC 8291). */
const Subscription = z.strictObject({
  endpoint: z.url({ protocol: /^https$/ }).max(1_000),
  keys: z.strictObject({ p256dh: bytes(65), auth: bytes(16) }),
  timeZone: TimeZone,
})

const PushDevice = z.object({
  id: z.string(),
  device: z.string(),
  since: Timestamp,
  current: z.boolean(),
})
export type PushDevice = z.infer<typeof PushDevice>

export const getPush = endpoint({
  method: 'GET',
  path: '/api/push',
  summary: 'My devices that are pushed to, and the key that a browser subscribes with (RFC 8292).',
  access: 'member',
  response: z.object({
    /** In base64url; null if the operator has switched push off. */
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

/**
 * The payload of a push, encrypted for the receiving browser. Details that the lock screen setting hides are left out.
 */
export const PushMessage = z.object({
  /** The notification's id. */
  id: z.string(),
  /** A notification kind, or 'news' if the lock screen setting hides the kind, or 'test'. */
  kind: z.string(),
  params: z.record(z.string(), z.string()),
  link: z.string(),
  language: z.string(),
  /**
   * Ids of pushed notifications that are still unread. The device closes all others, because they were read elsewhere.
   */
  unread: z.array(z.string()),
})
export type PushMessage = z.infer<typeof PushMessage>
