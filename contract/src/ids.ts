import { z } from 'zod'

/** Any string is allowed, so that a malformed id gets the same `not_found` as an unknown one. */
export const UserId = z.string()
export type UserId = z.infer<typeof UserId>

/** Created by the client. Unique for each pair of sender and receiver. */
export const MessageId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^\P{C}+$/u, 'no control characters')

/** Server time as ISO 8601 in UTC. */
export const Timestamp = z.iso.datetime({ offset: true })

export const Cursor = z.string().min(1).max(512)

export const Done = z.object({ ok: z.literal(true) })
