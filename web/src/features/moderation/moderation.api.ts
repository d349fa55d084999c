import type { PhotoForReview, PhotoGround } from '@duet/contract/moderation.ts'
import type { ReviewState } from '@duet/contract/photos.ts'
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type CallResponse, call } from '../../platform/call.ts'
import { casesKey, refetchInterval } from './cases/cases.api.ts'

const reviewKey = casesKey('photo')
const figuresKey = ['moderation', 'figures'] as const
const freshMs = 60_000
type PhotosPage = { photos: PhotoForReview[]; nextCursor: string | null }

/** Photos that no one has reviewed yet, oldest first. */
export function usePhotosForReview() {
  return useInfiniteQuery({
    queryKey: reviewKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => call('GET /api/admin/photos', { query: { cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval,
  })
}

/** Grounds for rejecting a photo. Duplicated from the contract, whose schemas stay out of the browser bundle. */
export const photoGrounds = ['fake_profile', 'sexual_content', 'hate', 'spam', 'other'] as const satisfies PhotoGround[]

interface PhotoReview {
  fileName: string
  state: ReviewState
  ground?: PhotoGround | undefined
}

/** Approves or rejects a photo, which then leaves the list. `pending` undoes the review and returns the photo. */
export function useReview() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ fileName, ...body }: PhotoReview) =>
      call('PATCH /api/admin/photos/:fileName', { params: { fileName }, body }),
    onSuccess: (_, { fileName, state }) => {
      if (state === 'pending') void queryClient.invalidateQueries({ queryKey: reviewKey })
      queryClient.setQueryData<InfiniteData<PhotosPage>>(reviewKey, (data) => data && without(data, fileName))
      void queryClient.invalidateQueries({ queryKey: figuresKey })
    },
    onError: () => queryClient.invalidateQueries({ queryKey: reviewKey }),
  })
}

function without(data: InfiniteData<PhotosPage>, fileName: string): InfiniteData<PhotosPage> {
  const pages = data.pages.map((page) => ({
    ...page,
    photos: page.photos.filter(({ photo }) => photo.fileName !== fileName),
  }))
  return { ...data, pages }
}

/** How old the queues are and what became of what was in them. */
export function useQueueFigures() {
  return useQuery({
    queryKey: figuresKey,
    queryFn: ({ signal }) => call('GET /api/admin/moderation/figures', { signal }),
    staleTime: freshMs,
  })
}

/** Which entries of the record; `from` and `to` are days of the viewer, both included. */
export interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  from?: string | undefined
  to?: string | undefined
}
export type Choices = CallResponse<'GET /api/admin/audit'>['choices']

/** When a day begins, or the one after so many; nothing for a day that is none. */
function beginOf(day: string | undefined, later = 0): string | undefined {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + later)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** What administrators did, newest first, as far as it is wanted. */
export function useAuditEntries(wanted: AuditFilter) {
  return useInfiniteQuery({
    queryKey: ['moderation', 'audit', wanted],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/admin/audit', {
        query: { ...wanted, from: beginOf(wanted.from), to: beginOf(wanted.to, 1), cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** Whether the record is as it was written. */
export function useChain() {
  return useQuery({
    queryKey: ['moderation', 'chain'],
    queryFn: ({ signal }) => call('GET /api/admin/audit/chain', { signal }),
  })
}

/** What may be known of someone, for a reason; every look is recorded, so it is not repeated by itself. */
export function useDossier(userId: string, reason: string | null) {
  return useQuery({
    queryKey: ['moderation', 'dossier', userId, reason],
    queryFn: ({ signal }) =>
      call('GET /api/admin/dossiers/:userId', { params: { userId }, query: { reason: reason ?? '' }, signal }),
    enabled: reason !== null,
    meta: { isOnRecord: true },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
}

/** Ends a sanction before its time. */
export function useLift() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      call('POST /api/admin/sanctions/:id/lift', { params: { id }, body: { reason } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['moderation', 'dossier'] }),
  })
}
