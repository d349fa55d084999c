import type { PhotoForReview } from '@duet/contract/moderation.ts'
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

const reviewKey = ['moderation', 'photos'] as const
const figuresKey = ['moderation', 'figures'] as const
const freshMs = 60_000
type Page = { photos: PhotoForReview[]; nextCursor: string | null }

/** Photos that nobody has reviewed yet, oldest first. */
export function usePhotosForReview() {
  return useInfiniteQuery({
    queryKey: reviewKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => call('GET /api/admin/photos', { query: { cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** Approves or rejects a photo; it leaves the list. */
export function useReview() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ fileName, state }: { fileName: string; state: 'approved' | 'rejected' }) =>
      call('PATCH /api/admin/photos/:fileName', { params: { fileName }, body: { state } }),
    onSuccess: (_, { fileName }) => {
      queryClient.setQueryData<InfiniteData<Page>>(reviewKey, (data) => data && without(data, fileName))
      void queryClient.invalidateQueries({ queryKey: figuresKey })
    },
    onError: () => queryClient.invalidateQueries({ queryKey: reviewKey }),
  })
}

function without(data: InfiniteData<Page>, fileName: string): InfiniteData<Page> {
  const pages = data.pages.map((page) => ({
    ...page,
    photos: page.photos.filter(({ photo }) => photo.fileName !== fileName),
  }))
  return { ...data, pages }
}

/** How old the queues are and what became of what was in them. */
export function useFigures() {
  return useQuery({
    queryKey: figuresKey,
    queryFn: ({ signal }) => call('GET /api/admin/moderation/figures', { signal }),
    staleTime: freshMs,
  })
}

/** What administrators did, newest first. */
export function useAuditEntries() {
  return useInfiniteQuery({
    queryKey: ['moderation', 'audit'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => call('GET /api/admin/audit', { query: { cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** Whether the record is as it was written. */
export function useChain() {
  return useQuery({
    queryKey: ['moderation', 'chain'],
    queryFn: ({ signal }) => call('GET /api/admin/audit/chain', { signal }),
  })
}

/** What may be known of somebody, for a reason; every look is recorded, so it is not repeated by itself. */
export function useDossier(userId: string, reason: string | null) {
  return useQuery({
    queryKey: ['moderation', 'dossier', userId, reason],
    queryFn: ({ signal }) =>
      call('GET /api/admin/dossiers/:userId', { params: { userId }, query: { reason: reason ?? '' }, signal }),
    enabled: reason !== null,
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
