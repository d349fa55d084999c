import { QueryClient } from '@tanstack/react-query'
import { problemCode } from '../problem.ts'

const worthRetrying = new Set(['offline', 'internal', 'unavailable'])

/** The cache of what the server said. Live events keep it fresh, so it does not ask again by itself at once. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && worthRetrying.has(problemCode(error)),
      },
      // Without a network an act fails at once and is told, instead of turning until there is one.
      mutations: { networkMode: 'always' },
    },
  })
}
