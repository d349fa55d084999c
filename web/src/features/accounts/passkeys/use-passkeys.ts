import { useQuery } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'

/** The key starts with `accessKey`, so passkeys are refetched with the other sign-in methods. */
export function usePasskeys(enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['access', 'passkeys'],
    queryFn: ({ signal }) => call('GET /api/user/passkeys', { signal }),
  })
}
