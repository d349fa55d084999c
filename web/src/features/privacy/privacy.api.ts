import type { Privacy } from '@duet/contract/privacy.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type CallRequest, call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { showBlurred } from './blur.ts'

const privacyQuery = queryOptions({
  queryKey: ['privacy'],
  queryFn: async ({ signal }) => {
    const privacy = await call('GET /api/privacy', { signal })
    showBlurred(privacy.blurPhotos)
    return privacy
  },
  // Only this device's own changes are common; another's are seen with the next start.
  staleTime: 600_000,
})

/** How much of myself I show, and what I want to see. */
export function usePrivacy() {
  const signedIn = useSession((state) => Boolean(state.user?.token))
  return useQuery({ ...privacyQuery, enabled: signedIn })
}

export type PrivacyChanges = CallRequest<'PATCH /api/privacy'>['body']

// One after the other: each answer holds everything, and the last one is to be the newest.
const inOrder = { mutationKey: ['privacy'], scope: { id: 'privacy' } } as const

/** Changes some of it; it holds at once, and is put back when it was not kept. */
export function useChangePrivacy() {
  const queryClient = useQueryClient()
  const keep = (privacy: Privacy) => {
    // What waits behind this answer is ahead of it.
    if (queryClient.isMutating({ mutationKey: inOrder.mutationKey }) > 1) return
    queryClient.setQueryData(privacyQuery.queryKey, privacy)
    showBlurred(privacy.blurPhotos)
  }
  return useMutation({
    ...inOrder,
    mutationFn: (body: PrivacyChanges) => call('PATCH /api/privacy', { body }),
    onMutate: (changes) => {
      const before = queryClient.getQueryData(privacyQuery.queryKey)
      if (before) queryClient.setQueryData(privacyQuery.queryKey, { ...before, ...defined(changes) })
      return before
    },
    onError: (_error, _changes, before) => {
      if (before) queryClient.setQueryData(privacyQuery.queryKey, before)
    },
    onSuccess: (privacy: Privacy, changes) => {
      keep(privacy)
      if (changes.hiddenWords !== undefined) void queryClient.invalidateQueries({ queryKey: ['notifications'] })
      // Who is online and who is near looks different from now on.
      if (changes.hidePresence !== undefined)
        for (const queryKey of [['conversations'], ['profile'], ['nearby']])
          void queryClient.invalidateQueries({ queryKey })
    },
  })
}

function defined(changes: PrivacyChanges): Partial<Privacy> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

const nothingHidden = () => false
const noWords: string[] = []

/** Tells of texts whether they hold one of my hidden words. What looks for them is loaded when there are any. */
export function useHidden(): (text: string) => boolean {
  const words = usePrivacy().data?.hiddenWords ?? noWords
  const { data } = useQuery({
    queryKey: ['hidden-words', words],
    queryFn: async () => ({ by: (await import('@duet/contract/hidden-words.ts')).hiddenBy(words) }),
    enabled: words.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  return (words.length > 0 && data?.by) || nothingHidden
}
