import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp, UserId } from './ids.ts'
import { rateLimits } from './rate-limits.ts'

export const ClaimKind = z.enum(['report', 'photo', 'verification', 'appeal', 'review'])
export type ClaimKind = z.infer<typeof ClaimKind>

export const Claim = z.object({ by: z.object({ id: UserId, name: z.string() }), until: Timestamp })
export type Claim = z.infer<typeof Claim>

/** `id` is a report's receipt number, a photo's file name, or the id of any other item. */
const params = z.object({ kind: ClaimKind, id: z.string() })

export const claim = endpoint({
  method: 'PUT',
  path: '/api/admin/claims/:kind/:id',
  summary: 'Take something to decide, for ten minutes; again to keep it. While someone else has it: 409, and who.',
  access: 'admin',
  limit: rateLimits.claims,
  params,
  response: Claim,
  errors: ['not_found', 'conflict', 'rate_limited'],
})

export const release = endpoint({
  method: 'DELETE',
  path: '/api/admin/claims/:kind/:id',
  summary: 'Give back what I took. Safe to repeat.',
  access: 'admin',
  limit: rateLimits.claimReleases,
  params,
  response: Done,
  errors: ['not_found', 'rate_limited'],
})

export const claimEndpoints = [claim, release] as const
