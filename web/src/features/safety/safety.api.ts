import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { removeConversation } from '../conversations/conversations.ts'

const blocksKey = ['blocks'] as const
/** Where people show, and are counted. */
const lists = [['nearby'], ['deck'], ['likes'], ['decisions'], ['matches']] as const

/** Whom I have blocked. */
export function useBlocks() {
  return useQuery({
    queryKey: blocksKey,
    queryFn: async ({ signal }) => (await call('GET /api/blocks', { signal })).users,
  })
}

/** Takes somebody who was just blocked out of everything that is held in memory. */
export function forgetBlocked(queryClient: QueryClient, userId: string): void {
  removeConversation(queryClient, userId)
  queryClient.removeQueries({ queryKey: ['profile', userId] })
  for (const queryKey of [blocksKey, ...lists, ['notifications']]) void queryClient.invalidateQueries({ queryKey })
}

/** Blocks somebody: they leave every list at once. */
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
      for (const queryKey of [blocksKey, ...lists, ['conversations'], ['profile', userId]])
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}
