import type { Match } from '@duet/contract/matches.ts'
import type { QueryClient } from '@tanstack/react-query'
import { keepTold, readAnew } from '../platform/query/keep-told.ts'
import {
  admirersKey,
  decisionsKey,
  deckKey,
  likesKey,
  matchesKey,
  nearbyKey,
  notificationsKey,
  pastContactsKey,
  profileKey,
} from './keys.ts'

/**
 * Invalidates the person's profile and the lists that a decision or a match changes. Those on screen are refetched
 * immediately, except lists of likes if `patched` says they are up to date: they may be many pages long.
 */
export function refreshPerson(queryClient: QueryClient, id: string, { patched = false } = {}): void {
  const refetchType = patched ? 'none' : 'active'
  for (const queryKey of [likesKey, decisionsKey]) void queryClient.invalidateQueries({ queryKey, refetchType })
  for (const queryKey of [nearbyKey, profileKey(id)]) void queryClient.invalidateQueries({ queryKey })
}

export function refreshPersonEverywhere(queryClient: QueryClient, id: string): void {
  refreshPerson(queryClient, id)
  for (const queryKey of [deckKey, admirersKey, matchesKey, pastContactsKey])
    void queryClient.invalidateQueries({ queryKey })
}

type Forget = (queryClient: QueryClient, id: string) => void
const forgets = new Set<Forget>()
/** Registers a callback that deletes a feature's own data about a forgotten person. */
export const whenForgotten = (forget: Forget) => void forgets.add(forget)

/**
 * Removes someone from every list: from the conversations and matches immediately, from the others when they are
 * refetched.
 */
export function forgetPerson(queryClient: QueryClient, id: string): void {
  for (const forget of forgets) forget(queryClient, id)
  void keepTold<Match[]>(queryClient, matchesKey, (list) => list?.filter(({ user }) => user.id !== id))
  refreshPersonEverywhere(queryClient, id)
  void readAnew(queryClient, { queryKey: notificationsKey })
}
