import type { ProfileCard } from '@duet/contract/profiles.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

/** People around me, nearest first, a page at a time; somebody who moved between pages shows once. */
export function useNearby() {
  return useInfiniteQuery({
    queryKey: ['nearby'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => call('GET /api/user/nearBy', { query: { cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => eachOnce(pages.flatMap(({ users }) => users)),
  })
}

const eachOnce = (users: ProfileCard[]) => [...new Map(users.map((user) => [user.id, user])).values()]
