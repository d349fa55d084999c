import type { QueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { decisionsKey, unmatchKey } from '../../cache/keys.ts'
import { knownConversations, useSelection } from '../../features/conversations/conversations.ts'
import { announceMatch } from '../../features/matches/match-news.ts'
import { forgetMatch, keepMatch } from '../../features/matches/matches.api.ts'
import { useSession } from '../../platform/session.ts'
import type { EventHandlers, RealtimeContext } from '../../platform/socket/socket.ts'
import { toast } from '../../platform/toast.ts'

// How long to wait for the response to the like, which may open the match dialog first, in ms.
const grace = 100

/**
 * Resolves once this page's pending decisions have finished, because the response to one may announce the same match.
 */
function whenDecided(queryClient: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (queryClient.isMutating({ mutationKey: decisionsKey }) > 0) return
      stop()
      setTimeout(resolve, grace)
    }
    const stop = queryClient.getMutationCache().subscribe(look)
    look()
  })
}

async function tellEnd({ queryClient }: RealtimeContext, userId: string): Promise<void> {
  if (useSelection.getState().selectedId !== userId || queryClient.isMutating({ mutationKey: unmatchKey }) > 0) return
  const name = knownConversations(queryClient).find(({ id }) => id === userId)?.user.name ?? ''
  await i18next.loadNamespaces('matches')
  toast.info(i18next.t('matches:ended', { name }))
}

export const matchHandlers = {
  match: ({ queryClient }, match) => {
    const { user } = useSession.getState()
    keepMatch(queryClient, match)
    void whenDecided(queryClient).then(() => {
      if (useSession.getState().user?.id === user?.id) announceMatch(match)
    })
  },
  match_ended: (context, { userId }) => {
    void tellEnd(context, userId)
    forgetMatch(context.queryClient, userId)
  },
} satisfies Partial<EventHandlers>
