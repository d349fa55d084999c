import type { Match } from '@duet/contract/matches.ts'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { forgetPerson, refreshPerson } from '../../cache/forget-person.ts'
import { matchesKey, unmatchKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'
import { keepTold } from '../../platform/query/keep-told.ts'
import { closeMatch } from './match-news.ts'

/** My matches, newest first. */
export function useMatches() {
  return useQuery<Match[]>({
    queryKey: matchesKey,
    queryFn: async ({ signal }) => (await call('GET /api/matches', { signal })).matches,
  })
}

/** Puts a new match at the top of the list. */
export function keepMatch(queryClient: QueryClient, match: Match): void {
  void keepTold<Match[]>(
    queryClient,
    matchesKey,
    (list) => list && [match, ...list.filter(({ user }) => user.id !== match.user.id)],
  )
  // They no longer wait for an answer, and their page says that we are matched.
  refreshPerson(queryClient, match.user.id)
}

/** A match has ended: the person and the conversation leave every list. */
export function forgetMatch(queryClient: QueryClient, id: string): void {
  closeMatch(id)
  forgetPerson(queryClient, id)
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
