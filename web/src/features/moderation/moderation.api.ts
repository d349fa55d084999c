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

/** Oldest first. */
export function usePhotosForReview() {
  return useInfiniteQuery({
    queryKey: reviewKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => call('GET /api/admin/photos', { query: { cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval,
  })
}

/**
 * Grounds for rejecting a photo. Copied from the contract, because importing its schemas would add them to the browser
 * bundle.
 */
export const photoGrounds = ['fake_profile', 'sexual_content', 'hate', 'spam', 'other'] as const satisfies PhotoGround[]

interface PhotoReview {
  fileName: string
  state: ReviewState
  ground?: PhotoGround | undefined
}

/** `pending` undoes the review and returns the photo to the list. */
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

export function useQueueFigures() {
  return useQuery({
    queryKey: figuresKey,
    queryFn: ({ signal }) => call('GET /api/admin/moderation/figures', { signal }),
    staleTime: freshMs,
  })
}

/** `from` and `to` are days in the viewer's time zone, both inclusive. */
export interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  from?: string | undefined
  to?: string | undefined
}
export type Choices = CallResponse<'GET /api/admin/audit'>['choices']

/** The start of a day in the viewer's time zone, `later` days after `day`; undefined if `day` is invalid. */
function beginOf(day: string | undefined, later = 0): string | undefined {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + later)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

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

export function useChain() {
  return useQuery({
    queryKey: ['moderation', 'chain'],
    queryFn: ({ signal }) => call('GET /api/admin/audit/chain', { signal }),
  })
}

/** The server logs each view, so this never refetches automatically and isn't cached. */
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

export function useLift() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      call('POST /api/admin/sanctions/:id/lift', { params: { id }, body: { reason } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['moderation', 'dossier'] }),
  })
}
