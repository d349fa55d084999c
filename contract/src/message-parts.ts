import { z } from 'zod'
import { UserId } from './ids.ts'
import { limits } from './limits.ts'
import { prose } from './prose.ts'

export const MessageText = prose(1, limits.messageLength)

/** A photo or a voice note that comes with a message. `url` is signed for its viewer and expires within the hour. */
export const Attachment = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('photo'),
    id: z.uuid(),
    url: z.string(),
    width: z.int(),
    height: z.int(),
    blurhash: z.string(),
    /** Not yet a match: shown blurred until it is tapped. */
    veiled: z.boolean(),
  }),
  z.object({
    kind: z.literal('voice'),
    id: z.uuid(),
    url: z.string(),
    durationMs: z.int(),
    /** Loudness from 0 to 100, evenly spaced over the whole note. */
    waveform: z.array(z.int()),
  }),
])
export type Attachment = z.infer<typeof Attachment>

/** The beginning of the message that another one answers, as it is when the other one is read. */
export const Quote = z.object({
  seq: z.int(),
  senderId: UserId,
  message: z.string(),
  kind: z.enum(['text', 'photo', 'voice', 'deleted']),
})
export type Quote = z.infer<typeof Quote>

/** One emoji; a person has at most one on a message. */
export const Emoji = z
  .string()
  .max(32)
  .regex(/^\p{RGI_Emoji}$/v, 'one emoji')
export const Reaction = z.object({ userId: UserId, emoji: z.string() })
export type Reaction = z.infer<typeof Reaction>
