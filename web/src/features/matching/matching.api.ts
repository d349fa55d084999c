import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { deckKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'

/** The numbers behind the order of people. Public. */
export function useMatchingRules() {
  return useQuery({
    queryKey: ['matching'],
    queryFn: ({ signal }) => call('GET /api/matching', { signal }),
  })
}

/** Forgets what was learned from me; the deck is made anew. */
export function useResetLearning() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('DELETE /api/matching/learning'),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deckKey }),
  })
}
