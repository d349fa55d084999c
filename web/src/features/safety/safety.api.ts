import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { forgetPerson, refreshPersonEverywhere } from '../../cache/forget-person.ts'
import { blocksKey, conversationsKey, profileKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'

export function useBlocks() {
  return useQuery({
    queryKey: blocksKey,
    queryFn: async ({ signal }) => (await call('GET /api/blocks', { signal })).users,
  })
}

export function forgetBlocked(queryClient: QueryClient, userId: string): void {
  queryClient.removeQueries({ queryKey: profileKey(userId) })
  forgetPerson(queryClient, userId)
  void queryClient.invalidateQueries({ queryKey: blocksKey })
}

export function useBlock() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (userId: string) => call('PUT /api/blocks/:userId', { params: { userId } }),
    onSuccess: (_, userId) => forgetBlocked(queryClient, userId),
  })
}

export function useUnblock() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (userId: string) => call('DELETE /api/blocks/:userId', { params: { userId } }),
    onSuccess: (_, userId) => {
      refreshPersonEverywhere(queryClient, userId)
      for (const queryKey of [blocksKey, conversationsKey]) void queryClient.invalidateQueries({ queryKey })
    },
  })
}
