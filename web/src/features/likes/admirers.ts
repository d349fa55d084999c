import type { Like } from '@duet/contract/likes.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { admirersKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'
import { prepareMatch } from '../matches/matches.tsx'
import { useWaitingLikes } from './waiting-likes.api.ts'

/** Keyed by the id of the person who likes me. */
export type Admirers = ReadonlyMap<string, Like>

const none: Admirers = new Map()
/** The largest page that /likes returns. Older likes aren't marked in the deck. */
const most = 50

/** The newest likes I haven't answered, used to mark those people in the deck. */
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
  // Liking one of these people back results in a match immediately, so preload the match panel.
  useEffect(() => {
    if (size > 0) prepareMatch()
  }, [size])
  return data
}

const byId = (likes: Like[]): Admirers => new Map(likes.map((like) => [like.user.id, like]))

export const likeOf = (queryClient: QueryClient, id: string): Like | undefined =>
  queryClient.getQueryData<Like[]>(admirersKey)?.find(({ user }) => user.id === id)
