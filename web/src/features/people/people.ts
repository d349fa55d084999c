import type { Match } from '@duet/contract/matches.ts'
import type { QueryClient } from '@tanstack/react-query'
import { removeConversation } from '../conversations/conversations.ts'
import { deckKey, nearbyKey } from '../discovery/discovery.keys.ts'
import { admirersKey, decisionsKey, likesKey } from '../likes/likes.keys.ts'
import { matchesKey } from '../matches/matches.keys.ts'
import { notificationsKey } from '../notifications/notifications.keys.ts'
import { profileKey } from '../profiles/profiles.keys.ts'

/** Lists that a decision or a match changes are read again when they show next, and so is the person's page. */
export function refreshPerson(queryClient: QueryClient, id: string): void {
  for (const queryKey of [likesKey, decisionsKey, nearbyKey, profileKey(id)])
    void queryClient.invalidateQueries({ queryKey })
}

/** All lists that may show this person, or may show them again, are read again when they show next. */
export function refreshPersonEverywhere(queryClient: QueryClient, id: string): void {
  refreshPerson(queryClient, id)
  for (const queryKey of [deckKey, admirersKey, matchesKey]) void queryClient.invalidateQueries({ queryKey })
}

/** Drops someone from every list: conversation and match at once, the others when they are read again. */
export function forgetPerson(queryClient: QueryClient, id: string): void {
  removeConversation(queryClient, id)
  queryClient.setQueryData<Match[]>(matchesKey, (list) => list?.filter(({ user }) => user.id !== id))
  refreshPersonEverywhere(queryClient, id)
  void queryClient.invalidateQueries({ queryKey: notificationsKey })
}
