import type { SharedDate } from '@duet/contract/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, type EndpointName } from '../../platform/call.ts'
import { problemCode } from '../../platform/problem.ts'
import { ownDetailsKey } from '../accounts/accounts.ts'

const freshMs = 30_000
const datesKey = ['dates'] as const
type Dates = { dates: SharedDate[] }

/** Refetched regularly, because check-ins become due. */
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
    // One request at a time: each answer contains all dates, so a late one would overwrite newer changes.
    scope: { id: 'dates' },
    mutationFn: send,
    onSuccess: (dates) => {
      queryClient.setQueryData<Dates>(datesKey, dates)
      // The erasure of an account waits for its dates, so its time may have changed.
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

/** Refetched regularly while the page is open. */
export function useOpenDate(token: string) {
  return useQuery({
    queryKey: ['open-date', token],
    queryFn: ({ signal }) => call('GET /api/shared-dates/:token', { params: { token }, signal }),
    // A lost connection must not stop the refetching, because the page would show outdated information.
    refetchInterval: ({ state }) => (problemCode(state.error) === 'not_found' ? false : freshMs),
    retry: false,
  })
}

export function useDeclineContact() {
  return useMutation({ mutationFn: (key: string) => call('POST /api/declined-contacts', { body: { key } }) })
}
