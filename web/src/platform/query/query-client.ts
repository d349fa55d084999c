import { QueryClient } from '@tanstack/react-query'
import { problemCode } from '../problem.ts'

const worthRetrying = new Set(['offline', 'internal', 'unavailable'])

/** Queries count as fresh for a while, because live events keep the cache up to date. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && worthRetrying.has(problemCode(error)),
      },
      // Without a network, a mutation fails immediately instead of waiting until the network returns.
      mutations: { networkMode: 'always' },
    },
  })
}
