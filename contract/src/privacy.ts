import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { foldedText } from './folded-text.ts'
import { limits, messagePolicies } from './limits.ts'
import { optionalLine } from './prose.ts'
import { rateLimits } from './rate-limits.ts'

export const MessagePolicy = z.enum(messagePolicies)
export type MessagePolicy = z.infer<typeof MessagePolicy>

const HiddenWord = optionalLine(limits.hiddenWordLength)

export const Privacy = z.object({
  /** Who may send me the first message. Matches always may, and existing conversations continue. */
  whoMayMessage: MessagePolicy,
  /** Only people I liked, wrote to or matched with see me. */
  incognito: z.boolean(),
  /** Others don't see my distance, and searches place me at the centre of a wide area. */
  hideDistance: z.boolean(),
  /** Others don't see when I'm online, was last online or am typing, and I don't see it of them. */
  hidePresence: z.boolean(),
  /** Blurs photos of people until I point at them. */
  blurPhotos: z.boolean(),
  /** Messages and texts that contain one of these are collapsed for me. */
  hiddenWords: z.array(z.string()),
})
export type Privacy = z.infer<typeof Privacy>

export const PrivacyChanges = z
  .strictObject({
    ...Privacy.shape,
    hiddenWords: z
      .array(HiddenWord)
      .max(limits.hiddenWords)
      // Invisible words are dropped rather than rejected: the app sends the whole list with each change, and it may
      // hold words that were saved under older rules. Of words that hide the same messages, only one is kept.
      .transform((words) => [
        ...new Map(words.filter((word) => word !== '').map((word) => [foldedText(word), word])).values(),
      ]),
  })
  .partial()
export type PrivacyChanges = z.output<typeof PrivacyChanges>

export const getPrivacy = endpoint({
  method: 'GET',
  path: '/api/privacy',
  summary: 'How much of myself I show.',
  access: 'member',
  response: Privacy,
})

export const changePrivacy = endpoint({
  method: 'PATCH',
  path: '/api/privacy',
  summary: 'Change how much of myself I show; it holds at once.',
  access: 'member',
  limit: rateLimits.privacyChanges,
  body: PrivacyChanges,
  response: Privacy,
  errors: ['rate_limited'],
})

export const privacyEndpoints = [getPrivacy, changePrivacy] as const
