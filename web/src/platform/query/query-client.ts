import { QueryClient } from '@tanstack/react-query'
import { problemCode } from '../problem.ts'

const worthRetrying = new Set(['offline', 'internal', 'unavailable'])

/** Live events keep the cache up to date, so queries count as fresh for a while. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && worthRetrying.has(problemCode(error)),
      },
      // Without a network, a change fails immediately with an error instead of spinning until the network returns.
      mutations: { networkMode: 'always' },
    },
  })
}
