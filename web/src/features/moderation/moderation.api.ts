import type { PhotoForReview } from '@duet/contract/moderation.ts'
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

const reviewKey = ['review'] as const
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
    onSuccess: (_, { fileName }) =>
      queryClient.setQueryData<InfiniteData<Page>>(reviewKey, (data) => data && without(data, fileName)),
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
