import { useQuery } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'

/** My passkeys. They are read anew with the ways into the account, whose key this one begins with. */
export function usePasskeys(enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['access', 'passkeys'],
    queryFn: ({ signal }) => call('GET /api/user/passkeys', { signal }),
  })
}
