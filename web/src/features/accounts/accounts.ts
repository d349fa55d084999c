import type { MyDetails } from '@duet/contract/profiles.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { lazily } from '../../ui/lazily.tsx'

export { canUsePasskeys } from './passkeys/able.ts'
export { NotProved, StepUpHost, withStepUp } from './step-up.tsx'

export const provePasskey = async () => (await import('./passkeys/browser.ts')).askForPasskey()

export const SessionsList = lazily(async () => ({ default: (await import('./sessions-list.tsx')).SessionsList }))

export const AccessSection = lazily(async () => ({ default: (await import('./access-list.tsx')).AccessSection }))

export const ownDetailsKey = ['me'] as const

export function useOwnDetails() {
  return useQuery<MyDetails>({
    queryKey: ownDetailsKey,
    queryFn: ({ signal }) => call('GET /api/user/myDetails', { signal }),
  })
}

export function useOwnFace() {
  const { data } = useOwnDetails()
  return data?.photos.find((photo) => photo.state !== 'rejected') ?? null
}
