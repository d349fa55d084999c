import { z } from 'zod'

/** A person. Malformed ids are not told apart from unknown ones: both are `not_found`. */
export const UserId = z.string()
export type UserId = z.infer<typeof UserId>

/** The id of a message, made by the client; unique per sender and receiver. */
export const MessageId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^\P{C}+$/u, 'no control characters')

/** Server time as ISO 8601 in UTC. */
export const Timestamp = z.iso.datetime({ offset: true })

/** An opaque position in a list. */
export const Cursor = z.string().min(1).max(512)

/** The empty success. */
export const Done = z.object({ ok: z.literal(true) })
