import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp } from './ids.ts'
import { rateLimits } from './rate-limits.ts'

/**
 * Groups of emails that people can unsubscribe from; `all` covers every group. Codes, account decisions and other
 * security emails belong to no group.
 */
export const MailGroup = z.enum(['digest', 'matches', 'messages', 'all'])
export type MailGroup = z.infer<typeof MailGroup>

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/api/mail/unsubscribe',
  summary:
    'Stop mails like the one that the token came with (RFC 8058): as JSON or a form, without a sign-in. A GET leads to a page and stops nothing.',
  access: 'public',
  limit: rateLimits.unsubscribing,
  query: z.object({ token: z.string().max(200) }),
  body: z.object({ 'List-Unsubscribe': z.literal('One-Click') }),
  response: z.object({ group: MailGroup }),
  errors: ['not_found', 'rate_limited'],
})

export const MailState = z.object({
  /**
   * When my mailbox started to reject email, as far as the server knows. While this is set, no notifications are
   * emailed.
   */
  unreachableSince: Timestamp.nullable(),
  stopped: z.array(MailGroup),
})
export type MailState = z.infer<typeof MailState>

export const getMailState = endpoint({
  method: 'GET',
  path: '/api/mail',
  summary: 'Whether mails reach me, and which I have stopped.',
  access: 'member',
  standing: 'suspended',
  response: MailState,
})

export const retryMail = endpoint({
  method: 'POST',
  path: '/api/mail/retry',
  summary: 'Mail me again although my mailbox refused a mail.',
  access: 'member',
  limit: rateLimits.mailChanges,
  standing: 'suspended',
  response: Done,
  errors: ['rate_limited'],
})

export const resumeMail = endpoint({
  method: 'POST',
  path: '/api/mail/resume',
  summary: 'Get mails again that I have stopped; `all` is all of them.',
  access: 'member',
  limit: rateLimits.mailChanges,
  body: z.strictObject({ group: MailGroup }),
  response: MailState,
  errors: ['rate_limited'],
})

export const mailEndpoints = [unsubscribe, getMailState, retryMail, resumeMail] as const
