import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp, UserId } from './ids.ts'
import { rateLimits } from './rate-limits.ts'

export const BlockedPerson = z.object({
  id: UserId,
  name: z.string(),
  /**
   * The blocked account was erased. The block now applies to another account that seems to belong to the same person.
   */
  erased: z.boolean().optional(),
  since: Timestamp.optional(),
})
export type BlockedPerson = z.infer<typeof BlockedPerson>

const params = z.object({ userId: UserId })

export const blockUser = endpoint({
  method: 'PUT',
  path: '/api/blocks/:userId',
  summary: 'Block someone: silent, mutual, everywhere at once. Safe to repeat.',
  access: 'member',
  limit: rateLimits.blocks,
  params,
  response: Done,
  errors: ['not_found', 'rate_limited'],
})

export const unblockUser = endpoint({
  method: 'DELETE',
  path: '/api/blocks/:userId',
  summary: 'Unblock someone.',
  access: 'member',
  limit: rateLimits.blocks,
  params,
  response: Done,
  errors: ['not_found', 'rate_limited'],
})

export const listBlocks = endpoint({
  method: 'GET',
  path: '/api/blocks',
  summary: 'People I have blocked.',
  access: 'member',
  response: z.object({ users: z.array(BlockedPerson) }),
})

export const safetyEndpoints = [listBlocks, blockUser, unblockUser] as const
