import type { MyDetails, Profile, ProfileChanges } from '@duet/contract/profiles.ts'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { nearbyKey, profileKey, profilesKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'
import { keepTold } from '../../platform/query/keep-told.ts'
import { type Trials, trialKey } from '../../platform/query/trials.ts'
import { useSession } from '../../platform/session.ts'
import { ownDetailsKey } from '../accounts/accounts.ts'

export { FactRows } from './facts/fact-rows.tsx'
export { PersonCaption } from './person-caption.tsx'

export function useProfile(id: string) {
  return useQuery<Profile>({
    queryKey: profileKey(id),
    queryFn: ({ signal }) => call('GET /api/user/:id', { params: { id }, signal }),
  })
}

/**
 * Caches a newer version of my profile, and refetches what depends on it: how others see it, the people nearby, and who
 * can be liked.
 */
export function keepOwnDetails(queryClient: QueryClient, details: MyDetails): void {
  void keepTold(queryClient, ownDetailsKey, () => details)
  const { id, name, images, isSuperAdmin, onboardingComplete } = details
  useSession.getState().amend(id, { name, images, isSuperAdmin, onboardingComplete })
  for (const queryKey of [profilesKey, nearbyKey]) void queryClient.invalidateQueries({ queryKey })
}

export const detailsTrials: Trials<MyDetails, Partial<ProfileChanges>> = {
  queryKey: ownDetailsKey,
  apply: (details, changes) => ({ ...details, ...(changes as Partial<MyDetails>) }),
}

/** One request at a time, because each response contains the whole profile. */
export function useUpdateUser() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: trialKey(ownDetailsKey),
    scope: { id: 'me' },
    mutationFn: (changes: Partial<ProfileChanges>) => call('PATCH /api/user/updateUser', { body: changes }),
    onSuccess: (details) => keepOwnDetails(queryClient, details),
  })
}
