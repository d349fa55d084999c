import type { SharedDate } from '@duet/contract/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, type EndpointName } from '../../platform/call.ts'
import { problemCode } from '../../platform/problem.ts'
import { ownDetailsKey } from '../accounts/accounts.ts'

const freshMs = 30_000
const datesKey = ['dates'] as const
type Dates = { dates: SharedDate[] }

/** Refetches regularly, because check-ins become due. */
export function useDates() {
  return useQuery<Dates>({
    queryKey: datesKey,
    queryFn: ({ signal }) => call('GET /api/dates', { signal }),
    refetchInterval: 60_000,
  })
}

export type NewDate = Parameters<typeof call<Extract<EndpointName, 'POST /api/dates'>>>[1]['body']

export function useShareDate() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: NewDate) => call('POST /api/dates', { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: datesKey }),
  })
}

function useDateChange<T>(send: (what: T) => Promise<Dates>) {
  const queryClient = useQueryClient()
  return useMutation({
    // Sent one at a time: each response contains all dates, so a late response would overwrite newer changes.
    scope: { id: 'dates' },
    mutationFn: send,
    onSuccess: (dates) => {
      queryClient.setQueryData<Dates>(datesKey, dates)
      // An account isn't erased before its shared dates end, so the erasure time may have changed.
      void queryClient.invalidateQueries({ queryKey: ownDetailsKey })
    },
    onError: () => queryClient.invalidateQueries({ queryKey: datesKey }),
  })
}

export type DateChange = { id: string; place?: string; at?: string; note?: string; ended?: true }

export function useChangeDate() {
  return useDateChange(({ id, ...body }: DateChange) => call('PATCH /api/dates/:id', { params: { id }, body }))
}

export function useCheckIn() {
  return useDateChange((id: string) => call('POST /api/dates/:id/checkIn', { params: { id } }))
}

export function useOpenDate(token: string) {
  return useQuery({
    queryKey: ['open-date', token],
    queryFn: ({ signal }) => call('GET /api/shared-dates/:token', { params: { token }, signal }),
    // Keep polling when the connection is lost, so that the page doesn't stay outdated.
    refetchInterval: ({ state }) => (problemCode(state.error) === 'not_found' ? false : freshMs),
    retry: false,
  })
}

export function useDeclineContact() {
  return useMutation({ mutationFn: (key: string) => call('POST /api/declined-contacts', { body: { key } }) })
}
