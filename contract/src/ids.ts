import { z } from 'zod'

/** A malformed id gets the same `not_found` as an unknown one. */
export const UserId = z.string()
export type UserId = z.infer<typeof UserId>

/** Created by the client; unique per sender and receiver. */
export const MessageId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^\P{C}+$/u, 'no control characters')

/** Server time as ISO 8601 in UTC. */
export const Timestamp = z.iso.datetime({ offset: true })

export const Cursor = z.string().min(1).max(512)

/** A success without data. */
export const Done = z.object({ ok: z.literal(true) })
