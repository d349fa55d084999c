import type { Match } from '@duet/contract/matches.ts'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { forgetPerson, refreshPerson } from '../../cache/forget-person.ts'
import { matchesKey, unmatchKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'
import { keepTold } from '../../platform/query/keep-told.ts'
import { closeMatch } from './match-news.ts'

export function useMatches() {
  return useQuery<Match[]>({
    queryKey: matchesKey,
    queryFn: async ({ signal }) => (await call('GET /api/matches', { signal })).matches,
  })
}

export function keepMatch(queryClient: QueryClient, match: Match): void {
  void keepTold<Match[]>(
    queryClient,
    matchesKey,
    (list) => list && [match, ...list.filter(({ user }) => user.id !== match.user.id)],
  )
  // The person moves out of the received likes, and their profile now shows the match.
  refreshPerson(queryClient, match.user.id)
}

export function forgetMatch(queryClient: QueryClient, id: string): void {
  closeMatch(id)
  forgetPerson(queryClient, id)
}

export function useUnmatch() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: unmatchKey,
    mutationFn: (userId: string) => call('DELETE /api/matches/:userId', { params: { userId } }),
    onSuccess: (_, userId) => forgetMatch(queryClient, userId),
  })
}
