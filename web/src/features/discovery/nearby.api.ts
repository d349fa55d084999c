import type { ProfileCard } from '@duet/contract/profiles.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { nearbyKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'

/** Nearest first. A person who moves while the pages load is still listed only once. */
export function useNearby() {
  return useInfiniteQuery({
    queryKey: nearbyKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => call('GET /api/user/nearBy', { query: { cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => eachOnce(pages.flatMap(({ users }) => users)),
  })
}

const eachOnce = (users: ProfileCard[]) => [...new Map(users.map((user) => [user.id, user])).values()]
