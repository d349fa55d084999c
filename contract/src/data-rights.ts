import { z } from 'zod'
import { AppLanguage } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Timestamp } from './ids.ts'
import { rateLimits } from './rate-limits.ts'

export const Erasure = z.object({ eraseAt: Timestamp.nullable() })
export type Erasure = z.infer<typeof Erasure>

const forAll = { access: 'member', standing: 'suspended' } as const

export const getErasure = endpoint({
  ...forAll,
  method: 'GET',
  path: '/api/erasure',
  summary: 'Whether my account is about to be erased, and when.',
  response: Erasure,
})

export const requestErasure = endpoint({
  ...forAll,
  method: 'POST',
  path: '/api/erasure',
  limit: rateLimits.erasures,
  summary:
    'Hide me immediately and erase everything of me in 14 days, or once the last date I share is over. Ends my other sessions. Safe to repeat.',
  fresh: true,
  body: z.strictObject({}),
  response: Erasure,
  errors: ['reauthentication_required', 'rate_limited'],
})

export const undoErasure = endpoint({
  ...forAll,
  method: 'DELETE',
  path: '/api/erasure',
  limit: rateLimits.erasures,
  summary: 'Keep my account after all. Safe to repeat.',
  response: Erasure,
  errors: ['rate_limited'],
})

/**
 * The export file is stored until `expiresAt`. `url` is set when the export is ready and this session has signed in
 * again within the last ten minutes. It works for at most ten minutes and stops working when the session ends.
 * `progress` goes from 0 to 1.
 */
export const Export = z.object({
  state: z.enum(['none', 'working', 'ready', 'failed']),
  progress: z.number().min(0).max(1),
  url: z.string().nullable(),
  expiresAt: Timestamp.nullable(),
  bytes: z.int().nullable(),
})
export type Export = z.infer<typeof Export>

export const getExport = endpoint({
  ...forAll,
  method: 'GET',
  path: '/api/export',
  summary: 'How far my export is, and, after a fresh sign-in, where it can be fetched for ten minutes.',
  response: Export,
})

export const requestExport = endpoint({
  ...forAll,
  method: 'POST',
  path: '/api/export',
  summary: 'Gather everything about me in one file: once a day. While one is being made, that one is told of.',
  fresh: true,
  status: 202,
  body: z.strictObject({ language: AppLanguage.default('en') }),
  response: Export,
  errors: ['reauthentication_required', 'rate_limited'],
})

export const consentPurposes = ['terms', 'sensitive', 'location', 'learning'] as const
export const ConsentPurpose = z.enum(consentPurposes)
export type ConsentPurpose = z.infer<typeof ConsentPurpose>

/**
 * The latest decision on a purpose. `at` is when the person gave or withdrew consent; null if they were never asked.
 */
export const Consent = z.object({
  purpose: ConsentPurpose,
  version: z.string(),
  granted: z.boolean(),
  at: Timestamp.nullable(),
})
export type Consent = z.infer<typeof Consent>
const ConsentList = z.object({ consents: z.array(Consent) })

export const listConsents = endpoint({
  ...forAll,
  method: 'GET',
  path: '/api/consents',
  summary: 'What I agree to.',
  response: ConsentList,
})

export const changeConsent = endpoint({
  ...forAll,
  method: 'PUT',
  path: '/api/consents',
  limit: rateLimits.consents,
  summary: 'Give consent, or withdraw it: what it was about is gone at once. The terms end with the account alone.',
  body: z.strictObject({ purpose: z.enum(['sensitive', 'location', 'learning']), granted: z.boolean() }),
  response: ConsentList,
  errors: ['rate_limited'],
})

export const dataRightsEndpoints = [
  getErasure,
  requestErasure,
  undoErasure,
  getExport,
  requestExport,
  listConsents,
  changeConsent,
] as const
