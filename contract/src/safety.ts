import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done, UserId } from './ids.ts'
import { rateLimits } from './rate-limits.ts'

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
  response: z.object({ users: z.array(z.object({ id: UserId, name: z.string() })) }),
})

export const safetyEndpoints = [listBlocks, blockUser, unblockUser] as const
