import type { EventHandlers } from '../../platform/socket.ts'
import { receivedKey, waitingKey } from './likes-lists.api.ts'

/** What happens when the server tells that somebody likes me, or took it back. */
export const likeHandlers = {
  likes_changed: ({ queryClient }, { count }) => {
    queryClient.setQueryData<number>(waitingKey, count)
    void queryClient.invalidateQueries({ queryKey: receivedKey })
  },
} satisfies Partial<EventHandlers>
