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
 * Invalidates the lists that a decision or a match changes, and the person's profile. Visible ones are refetched
 * immediately, except lists of likes that are already `patched`: they may be many pages long.
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
/** Registers what a feature deletes when a person is forgotten, besides the lists of people. */
export const whenForgotten = (forget: Forget) => void forgets.add(forget)

/** Removes someone from every list: the conversation and the match immediately, the others when they are refetched. */
export function forgetPerson(queryClient: QueryClient, id: string): void {
  for (const forget of forgets) forget(queryClient, id)
  void keepTold<Match[]>(queryClient, matchesKey, (list) => list?.filter(({ user }) => user.id !== id))
  refreshPersonEverywhere(queryClient, id)
  void readAnew(queryClient, { queryKey: notificationsKey })
}
