import { useQuery } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'

/** The query key starts with `accessKey`, so refetching the sign-in methods also refetches the passkeys. */
export function usePasskeys(enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['access', 'passkeys'],
    queryFn: ({ signal }) => call('GET /api/user/passkeys', { signal }),
  })
}
