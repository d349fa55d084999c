import type { EventHandlers } from '../../platform/socket.ts'
import { admirersKey, receivedKey, waitingKey } from './likes.keys.ts'

/** What happens when the server tells that someone likes me, or took it back; it does after my own decisions, too. */
export const likeHandlers = {
  likes_changed: ({ queryClient }, { count }) => {
    const isSame = queryClient.getQueryData<number>(waitingKey) === count
    queryClient.setQueryData<number>(waitingKey, count)
    void queryClient.invalidateQueries({ queryKey: receivedKey })
    void queryClient.invalidateQueries({ queryKey: admirersKey, refetchType: isSame ? 'none' : 'active' })
  },
} satisfies Partial<EventHandlers>
