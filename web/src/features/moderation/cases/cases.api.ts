import type { AppealForReview } from '@duet/contract/appeals.ts'
import type { Review } from '@duet/contract/moderation.ts'
import type { OpenReport, ProfilePart } from '@duet/contract/reports.ts'
import type { Action, Ground } from '@duet/contract/sanctions.ts'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'

export type CaseKind = 'report' | 'appeal' | 'review' | 'photo'

export const casesKey = (kind: CaseKind) => ['moderation', 'cases', kind] as const
// In milliseconds. Refetching shows cases that other moderators have claimed.
export const refetchInterval = 60_000

function useCases<P extends { nextCursor: string | null }>(
  kind: CaseKind,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<P>,
) {
  return useInfiniteQuery({
    queryKey: casesKey(kind),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval,
  })
}

export function useOpenReports() {
  return useCases('report', (cursor, signal) => call('GET /api/admin/reports', { query: { cursor }, signal }))
}

export function useOpenAppeals() {
  return useCases('appeal', (cursor, signal) => call('GET /api/admin/appeals', { query: { cursor }, signal }))
}

export function useOpenReviews() {
  return useCases('review', (cursor, signal) => call('GET /api/admin/reviews', { query: { cursor }, signal }))
}

export type { AppealForReview, OpenReport, Review }

export interface Decided {
  action: Action
  ground: Ground
  statement: string
  note: string
  days: number
  falseReport: boolean
  allOfSubject: boolean
  /** Only if the report is about a profile. */
  parts: ProfilePart[]
}

// The server rejects fields that don't belong to the action.
function rulingOf({ action, ground, statement, note, days, parts }: Decided) {
  const told = { ground, statement, note }
  if (action === 'dismiss') return { action, note }
  if (action === 'warn') return { action, ...told }
  if (action === 'remove_item') return { action, ...told, parts }
  if (action === 'ban') return { action, ...told }
  return action === 'restrict' ? { action, ...told, days } : { action, ...told, days }
}

function sendDecision(kind: 'report' | 'review', id: string, decided: Decided) {
  const ruling = rulingOf(decided)
  const { allOfSubject, falseReport } = decided
  if (kind === 'report') {
    const body = ruling.action === 'dismiss' ? { ...ruling, allOfSubject, falseReport } : { ...ruling, allOfSubject }
    return call('POST /api/admin/reports/:receipt/decision', { params: { receipt: id }, body })
  }
  if (ruling.action === 'remove_item') throw new Error('A review has no item that could be removed.')
  return call('POST /api/admin/reviews/:id/decision', { params: { id }, body: ruling })
}

/** Refetches the queues and everything else under the `moderation` key, even after a failure. */
export function useDecideCase(kind: 'report' | 'review') {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...decided }: Decided & { id: string }) => sendDecision(kind, id, decided),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['moderation'] }),
  })
}

export function useAnswer() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; outcome: 'upheld' | 'reversed'; answer: string }) =>
      call('POST /api/admin/appeals/:id/decision', { params: { id }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['moderation'] }),
  })
}
