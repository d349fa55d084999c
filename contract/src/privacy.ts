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
  /** Who may send me the first message. Matches always may, and existing conversations can continue. */
  whoMayMessage: MessagePolicy,
  /** Hides me from everyone except people I liked, messaged or matched with. */
  incognito: z.boolean(),
  /** Hides my distance from others, and places me at the centre of a wide area in their searches. */
  hideDistance: z.boolean(),
  /** Hides from others when I'm online, was last online or am typing, and hides the same about them from me. */
  hidePresence: z.boolean(),
  blurPhotos: z.boolean(),
  /** Messages and profile texts that contain one of these words are collapsed for me. */
  hiddenWords: z.array(z.string()),
})
export type Privacy = z.infer<typeof Privacy>

export const PrivacyChanges = z
  .strictObject({
    ...Privacy.shape,
    hiddenWords: z
      .array(HiddenWord)
      .max(limits.hiddenWords)
      // Invisible words are dropped rather than rejected, because the app sends the whole list with each change, and
      // the list may contain words saved under older rules. Of words that hide the same messages, only one is stored.
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
