import type { Like } from '@duet/contract/likes.ts'
import { type InfiniteData, type QueryClient, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { decisionsKey, receivedKey, waitingKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'

export const tabs = ['received', 'sent', 'passes', 'later'] as const
export type Tab = (typeof tabs)[number]

const decisions = { sent: 'like', passes: 'pass', later: 'later' } as const
export const tabKey = (tab: Tab): QueryKey => (tab === 'received' ? receivedKey : [...decisionsKey, decisions[tab]])

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

export function useLikes(tab: Tab) {
  return useInfiniteQuery({
    queryKey: tabKey(tab),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readPage(tab, pageParam, signal),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => eachOnce(pages.flatMap(({ likes }) => likes)),
  })
}

const changeList = (queryClient: QueryClient, tab: Tab, change: (likes: Like[], page: number) => Like[]) =>
  queryClient.setQueryData<InfiniteData<LikesPage>>(
    tabKey(tab),
    (data) =>
      data && { ...data, pages: data.pages.map((page, place) => ({ ...page, likes: change(page.likes, place) })) },
  )

// Only received likes wait for an answer.
const countWaiting = (queryClient: QueryClient, tab: Tab, by: 1 | -1) =>
  tab === 'received' && queryClient.setQueryData<number>(waitingKey, (count) => count && Math.max(0, count + by))

/** Returns a function that puts the person back in the same position, for a refusal or an undo. */
export async function dropFromTab(queryClient: QueryClient, tab: Tab, { user: { id } }: Like): Promise<() => void> {
  await queryClient.cancelQueries({ queryKey: tabKey(tab) })
  const places = new Map<number, [at: number, like: Like]>()
  changeList(queryClient, tab, (likes, page) => {
    const at = likes.findIndex(({ user }) => user.id === id)
    if (likes[at]) places.set(page, [at, likes[at]])
    return likes.filter(({ user }) => user.id !== id)
  })
  countWaiting(queryClient, tab, -1)
  return () => {
    countWaiting(queryClient, tab, 1)
    changeList(queryClient, tab, (likes, page) => {
      const [at, like] = places.get(page) ?? []
      return like && !likes.some(({ user }) => user.id === id) ? likes.toSpliced(at ?? 0, 0, like) : likes
    })
  }
}
