import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { forgetPerson, refreshPersonEverywhere } from '../../cache/forget-person.ts'
import { blocksKey, conversationsKey, profileKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'

/** People I have blocked. */
export function useBlocks() {
  return useQuery({
    queryKey: blocksKey,
    queryFn: async ({ signal }) => (await call('GET /api/blocks', { signal })).users,
  })
}

/** Takes someone who was just blocked out of everything that is in memory. */
export function forgetBlocked(queryClient: QueryClient, userId: string): void {
  queryClient.removeQueries({ queryKey: profileKey(userId) })
  forgetPerson(queryClient, userId)
  void queryClient.invalidateQueries({ queryKey: blocksKey })
}

/** Blocks someone: they leave every list at once. */
export function useBlock() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (userId: string) => call('PUT /api/blocks/:userId', { params: { userId } }),
    onSuccess: (_, userId) => forgetBlocked(queryClient, userId),
  })
}

/** Takes a block back. */
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
