import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type CallRequest, call } from '../../platform/call.ts'

const ownKey = ['reports'] as const

type Report = CallRequest<'POST /api/reports'>['body']

/** Sends a report and gives its receipt. */
export function useSendReport() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Report) => call('POST /api/reports', { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ownKey }),
  })
}

/** What I have reported, newest first. */
export function useOwnReports() {
  return useQuery({
    queryKey: ownKey,
    queryFn: async ({ signal }) => (await call('GET /api/reports', { signal })).reports,
  })
}
