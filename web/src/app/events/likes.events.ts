import { admirersKey, receivedKey, waitingKey } from '../../cache/keys.ts'
import { keepTold, readAnew } from '../../platform/query/keep-told.ts'
import type { EventHandlers } from '../../platform/socket/socket.ts'

/** What happens when the server tells that someone likes me, or took it back; it does after my own decisions, too. */
export const likeHandlers = {
  likes_changed: ({ queryClient }, { count }) => {
    const isSame = queryClient.getQueryData<number>(waitingKey) === count
    void keepTold<number>(queryClient, waitingKey, () => count)
    // An unchanged count means that the event follows this page's own answer, so the lists are already up to date.
    const refetchType = isSame ? 'none' : 'active'
    for (const queryKey of [receivedKey, admirersKey]) void readAnew(queryClient, { queryKey, refetchType })
  },
} satisfies Partial<EventHandlers>
