import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Timestamp } from './ids.ts'

/** Whether my account is about to go, and when. */
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
  summary: 'Hide me at once and erase everything of me in 14 days. Ends my other sessions. Safe to repeat.',
  fresh: true,
  body: z.strictObject({}),
  response: Erasure,
  errors: ['reauthentication_required', 'rate_limited'],
})

export const undoErasure = endpoint({
  ...forAll,
  method: 'DELETE',
  path: '/api/erasure',
  summary: 'Keep my account after all. Safe to repeat.',
  response: Erasure,
  errors: ['rate_limited'],
})

export const dataRightsEndpoints = [getErasure, requestErasure, undoErasure] as const
