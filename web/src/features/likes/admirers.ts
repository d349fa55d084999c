import type { Like } from '@duet/contract/likes.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { admirersKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'
import { prepareMatch } from '../matches/matches.tsx'
import { useWaitingLikes } from './waiting-likes.api.ts'

/** People by id, with their likes. */
export type Admirers = ReadonlyMap<string, Like>

const none: Admirers = new Map()
/** As many of the newest as one page of /likes may hold: older ones are not marked. */
const most = 50

/** The people who like me and wait for my answer, as /likes lists them: the newest ones, to be marked in the deck. */
export function useAdmirers(): Admirers {
  const waiting = useWaitingLikes()
  const { data = none } = useQuery({
    queryKey: admirersKey,
    enabled: waiting > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await call('GET /api/likes', { query: { limit: most }, signal })).likes,
    select: byId,
  })
  const { size } = data
  // A like of theirs is a match at the tap: what shows it has to be there by then.
  useEffect(() => {
    if (size > 0) prepareMatch()
  }, [size])
  return data
}

const byId = (likes: Like[]): Admirers => new Map(likes.map((like) => [like.user.id, like]))

/** The like of someone who is known to like me. */
export const likeOf = (queryClient: QueryClient, id: string): Like | undefined =>
  queryClient.getQueryData<Like[]>(admirersKey)?.find(({ user }) => user.id === id)
