import type { Match } from '@duet/contract/matches.ts'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { removeConversation } from '../conversations/conversations.ts'
import { closeMatch } from './match-news.ts'

export const matchesKey = ['matches'] as const
export const unmatchKey = ['unmatch'] as const

/** My matches, newest first. */
export function useMatches() {
  return useQuery<Match[]>({
    queryKey: matchesKey,
    queryFn: async ({ signal }) => (await call('GET /api/matches', { signal })).matches,
  })
}

// A person who was waiting for an answer is not any more; their page says that we are matched.
function refreshAround(queryClient: QueryClient, id: string): void {
  for (const queryKey of [['likes'], ['decisions'], ['nearby'], ['profile', id]])
    void queryClient.invalidateQueries({ queryKey })
}

/** Puts a new match at the top of the list. */
export function keepMatch(queryClient: QueryClient, match: Match): void {
  queryClient.setQueryData<Match[]>(
    matchesKey,
    (list) => list && [match, ...list.filter(({ user }) => user.id !== match.user.id)],
  )
  refreshAround(queryClient, match.user.id)
}

/** A match has ended: the person and the conversation leave every list. */
export function forgetMatch(queryClient: QueryClient, id: string): void {
  closeMatch(id)
  queryClient.setQueryData<Match[]>(matchesKey, (list) => list?.filter(({ user }) => user.id !== id))
  removeConversation(queryClient, id)
  refreshAround(queryClient, id)
}

/** Ends a match, for both. */
export function useUnmatch() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: unmatchKey,
    mutationFn: (userId: string) => call('DELETE /api/matches/:userId', { params: { userId } }),
    onSuccess: (_, userId) => forgetMatch(queryClient, userId),
  })
}
