import { cutText } from '@duet/contract/cut-text.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'
import { useDebouncedValue } from '../../../platform/query/use-debounced-value.ts'

const pauseMs = 400
export const shortestQuery = 2
const longestQuery = 100

export function useMessageSearch(text: string, peerId?: string) {
  const query = useDebouncedValue(cutText(text.trim(), longestQuery, longestQuery), pauseMs)
  const search = useInfiniteQuery({
    queryKey: ['message-search', query, peerId],
    queryFn: async ({ pageParam, signal }) => {
      const look = (cursor: string) =>
        call('GET /api/messages/search', {
          query: { query, limit: 20, ...(peerId && { with: peerId }), ...(cursor && { cursor }) },
          signal,
        })
      let page = await look(pageParam)
      // Each page searches only some of the messages, so an empty page doesn't mean that there are no further results.
      while (page.hits.length === 0 && page.nextCursor) page = await look(page.nextCursor)
      return page
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: query.length >= shortestQuery,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Don't cache results, because they may include someone who has been blocked since.
    gcTime: 0,
  })
  return { ...search, query, hits: search.data?.pages.flatMap(({ hits }) => hits) }
}
