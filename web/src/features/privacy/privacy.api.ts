import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { showBlurred } from './blur.ts'

export const privacyQuery = queryOptions({
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
