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
  // In milliseconds. Other devices rarely change these settings.
  staleTime: 600_000,
})

export function usePrivacy() {
  const signedIn = useSession((state) => Boolean(state.user?.token))
  return useQuery({ ...privacyQuery, enabled: signedIn })
}

const nothingHidden = () => false
const noWords: string[] = []

/**
 * Returns a function that checks whether a text contains one of my hidden words. The matching code loads only if there
 * are any.
 */
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
