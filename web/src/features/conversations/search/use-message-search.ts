import { cutText } from '@duet/contract/cut-text.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'
import { useDebouncedValue } from '../../../platform/query/use-debounced-value.ts'

const pauseMs = 400
export const shortestQuery = 2
const longestQuery = 100

/** Finds words in what was said, newest first; with one person when `peerId` is given. */
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
      // An answer looks through a part of the messages: nothing in it may not be all there is.
      while (page.hits.length === 0 && page.nextCursor) page = await look(page.nextCursor)
      return page
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: query.length >= shortestQuery,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // What was found before may be of someone who is blocked by now.
    gcTime: 0,
  })
  return { ...search, query, hits: search.data?.pages.flatMap(({ hits }) => hits) }
}
