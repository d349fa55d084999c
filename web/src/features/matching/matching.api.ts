import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { deckKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'

export function useMatchingRules() {
  return useQuery({
    queryKey: ['matching'],
    queryFn: ({ signal }) => call('GET /api/matching', { signal }),
  })
}

export function useResetLearning() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('DELETE /api/matching/learning'),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deckKey }),
  })
}
