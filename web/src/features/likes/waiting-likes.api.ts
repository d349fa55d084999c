import { useQuery } from '@tanstack/react-query'
import { waitingKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'

export function useWaitingLikes(): number {
  const { data } = useQuery({
    queryKey: waitingKey,
    queryFn: async ({ signal }) => (await call('GET /api/likes', { query: { limit: 1 }, signal })).count,
  })
  return data ?? 0
}
