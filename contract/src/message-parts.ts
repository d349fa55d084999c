import { z } from 'zod'
import { UserId } from './ids.ts'
import { limits } from './limits.ts'
import { prose } from './prose.ts'

export const MessageText = prose(1, limits.messageLength)

/** `url` is signed for the viewer and expires within an hour. */
export const Attachment = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('photo'),
    id: z.uuid(),
    url: z.string(),
    width: z.int(),
    height: z.int(),
    blurhash: z.string(),
    /** Shown blurred until tapped, because the two people haven't matched yet. */
    veiled: z.boolean(),
  }),
  z.object({
    kind: z.literal('voice'),
    id: z.uuid(),
    url: z.string(),
    durationMs: z.int(),
    /** Loudness from 0 to 100, sampled evenly over the whole message. */
    waveform: z.array(z.int()),
  }),
])
export type Attachment = z.infer<typeof Attachment>

/** The beginning of the quoted message at the time the server loaded the reply. */
export const Quote = z.object({
  seq: z.int(),
  senderId: UserId,
  message: z.string(),
  kind: z.enum(['text', 'photo', 'voice', 'deleted']),
})
export type Quote = z.infer<typeof Quote>

/** One emoji. Each person can react to a message with only one. */
export const Emoji = z
  .string()
  .max(32)
  .regex(/^\p{RGI_Emoji}$/v, 'one emoji')
export const Reaction = z.object({ userId: UserId, emoji: z.string() })
export type Reaction = z.infer<typeof Reaction>
