import type { MyDetails } from '@duet/contract/profiles.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { lazily } from '../../ui/lazily.tsx'

export { canUsePasskeys } from './passkeys/able.ts'
export { NotProved, StepUpHost, withStepUp } from './step-up.tsx'

/** Has the browser prove with a passkey who is there. Throws what `call` throws. */
export const provePasskey = async () => (await import('./passkeys/browser.ts')).askForPasskey()

/** Where I am signed in; in the settings. */
export const SessionsList = lazily(async () => ({ default: (await import('./sessions-list.tsx')).SessionsList }))

/** The ways into my account; in the settings. */
export const AccessSection = lazily(async () => ({ default: (await import('./access-list.tsx')).AccessSection }))

/** Where the own profile stands in the cache. */
export const ownDetailsKey = ['me'] as const

/** The own profile. */
export function useOwnDetails() {
  return useQuery<MyDetails>({
    queryKey: ownDetailsKey,
    queryFn: ({ signal }) => call('GET /api/user/myDetails', { signal }),
  })
}

/** The first own photo that others may see, for the corner of the screen. */
export function useOwnFace() {
  const { data } = useOwnDetails()
  return data?.photos.find((photo) => photo.state !== 'rejected') ?? null
}
