import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { pastContactsKey, reportsKey } from '../../cache/keys.ts'
import { type CallRequest, call } from '../../platform/call.ts'

const ownKey = [...reportsKey, 'own'] as const

type Report = CallRequest<'POST /api/reports'>['body']

export function useSendReport() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Report) => call('POST /api/reports', { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ownKey }),
  })
}

/** Newest first. */
export function usePastContacts() {
  return useInfiniteQuery({
    queryKey: pastContactsKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => call('GET /api/reports/past-contacts', { query: { cursor }, signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

export function useOwnReports() {
  return useQuery({
    queryKey: ownKey,
    queryFn: async ({ signal }) => (await call('GET /api/reports', { signal })).reports,
  })
}
