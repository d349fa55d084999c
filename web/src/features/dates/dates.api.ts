import type { SharedDate } from '@duet/contract/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, type EndpointName } from '../../platform/call.ts'
import { problemCode } from '../../platform/problem.ts'
import { ownDetailsKey } from '../accounts/accounts.ts'

const freshMs = 30_000
const datesKey = ['dates'] as const
type Dates = { dates: SharedDate[] }

/** The dates I share, next first; read again now and then, since check-ins fall due. */
export function useDates() {
  return useQuery<Dates>({
    queryKey: datesKey,
    queryFn: ({ signal }) => call('GET /api/dates', { signal }),
    refetchInterval: 60_000,
  })
}

export type NewDate = Parameters<typeof call<Extract<EndpointName, 'POST /api/dates'>>>[1]['body']

/** Shares a date; the answer has its link. */
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

/** Changes where and when, or ends a date. */
export function useChangeDate() {
  return useDateChange(({ id, ...body }: DateChange) => call('PATCH /api/dates/:id', { params: { id }, body }))
}

/** Says that I am well. */
export function useCheckIn() {
  return useDateChange((id: string) => call('POST /api/dates/:id/checkIn', { params: { id } }))
}

/** What the holder of a link reads; it stays fresh while the page is open. */
export function useOpenDate(token: string) {
  return useQuery({
    queryKey: ['open-date', token],
    queryFn: ({ signal }) => call('GET /api/shared-dates/:token', { params: { token }, signal }),
    // A line that breaks once is no reason to show for ever what may be over.
    refetchInterval: ({ state }) => (problemCode(state.error) === 'not_found' ? false : freshMs),
    retry: false,
  })
}

/** Wants no mail about dates any more. */
export function useDeclineContact() {
  return useMutation({ mutationFn: (key: string) => call('POST /api/declined-contacts', { body: { key } }) })
}
