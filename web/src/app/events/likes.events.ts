import { admirersKey, receivedKey, waitingKey } from '../../cache/keys.ts'
import { keepTold, readAnew } from '../../platform/query/keep-told.ts'
import type { EventHandlers } from '../../platform/socket/socket.ts'

/** The server also sends this event after the viewer's own decisions. */
export const likeHandlers = {
  likes_changed: ({ queryClient }, { count }) => {
    const isSame = queryClient.getQueryData<number>(waitingKey) === count
    void keepTold<number>(queryClient, waitingKey, () => count)
    // If the count hasn't changed, the event follows this page's own request, which has already updated the lists.
    const refetchType = isSame ? 'none' : 'active'
    for (const queryKey of [receivedKey, admirersKey]) void readAnew(queryClient, { queryKey, refetchType })
  },
} satisfies Partial<EventHandlers>
