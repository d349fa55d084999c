import type { Like } from '@duet/contract/likes.ts'
import { type InfiniteData, type QueryClient, type QueryKey, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

/** The lists of /likes: who likes me, and whom I liked, passed or put off. */
export const tabs = ['received', 'sent', 'passes', 'later'] as const
export type Tab = (typeof tabs)[number]

export const receivedKey = ['likes', 'received'] as const
export const waitingKey = ['likes', 'waiting'] as const
const decisions = { sent: 'like', passes: 'pass', later: 'later' } as const
export const tabKey = (tab: Tab): QueryKey => (tab === 'received' ? receivedKey : ['decisions', decisions[tab]])

interface LikesPage {
  likes: Like[]
  nextCursor: string | null
}

async function readPage(tab: Tab, cursor: string | undefined, signal: AbortSignal): Promise<LikesPage> {
  if (tab === 'received') return call('GET /api/likes', { query: { cursor }, signal })
  const query = { decision: decisions[tab], cursor }
  const page = await call('GET /api/decisions', { query, signal })
  return { likes: page.decisions, nextCursor: page.nextCursor }
}

const eachOnce = (likes: Like[]) => [...new Map(likes.map((like) => [like.user.id, like])).values()]

/** One list of /likes, newest first, a page at a time. */
export function useLikes(tab: Tab) {
  return useInfiniteQuery({
    queryKey: tabKey(tab),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readPage(tab, pageParam, signal),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => eachOnce(pages.flatMap(({ likes }) => likes)),
  })
}

/** How many people like me and wait for an answer. */
export function useWaitingLikes(): number {
  const { data } = useQuery({
    queryKey: waitingKey,
    queryFn: async ({ signal }) => (await call('GET /api/likes', { query: { limit: 1 }, signal })).count,
  })
  return data ?? 0
}

/** Takes somebody out of a list at once; the server's word follows. */
export async function dropFromTab(queryClient: QueryClient, tab: Tab, id: string): Promise<void> {
  const queryKey = tabKey(tab)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<InfiniteData<LikesPage>>(queryKey, (data) => {
    const pages = data?.pages.map((page) => ({ ...page, likes: page.likes.filter(({ user }) => user.id !== id) }))
    return data && pages && { ...data, pages }
  })
}
