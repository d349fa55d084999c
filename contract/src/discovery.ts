import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Cursor } from './ids.ts'
import { ProfileCard } from './profiles.ts'

export const NearbyPage = z.object({ users: z.array(ProfileCard), nextCursor: Cursor.nullable() })
export type NearbyPage = z.infer<typeof NearbyPage>

export const listNearby = endpoint({
  method: 'GET',
  path: '/api/user/nearBy',
  summary: "People around me, nearest area first; both people's filters are respected.",
  access: 'member',
  query: z.object({ cursor: Cursor.optional(), limit: z.coerce.number<number>().int().min(1).max(50).default(20) }),
  response: NearbyPage,
  errors: ['rate_limited'],
})

export const discoveryEndpoints = [listNearby] as const
