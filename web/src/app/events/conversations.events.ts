import { blocksKey, matchesKey, profilesKey } from '../../cache/keys.ts'
import { chatOf } from '../../features/conversations/browser-chat.ts'
import type { Chat } from '../../features/conversations/chat/chat.ts'
import { readAnew } from '../../platform/query/keep-told.ts'
import type { EventHandlers, RealtimeContext } from '../../platform/socket/socket.ts'

type ChatHandlers = Chat['handlers']
type Handling<E extends keyof ChatHandlers> = (
  context: RealtimeContext,
  payload: Parameters<ChatHandlers[E]>[0],
) => void

const handle =
  <E extends keyof ChatHandlers>(event: E): Handling<E> =>
  ({ queryClient }, payload) => {
    // TypeScript can't connect a generic event name with its payload type.
    const handler = chatOf(queryClient).handlers[event] as (payload: unknown) => void
    handler(payload)
  }

export const conversationHandlers = {
  conversations: handle('conversations'),
  'private message': handle('private message'),
  message_changed: handle('message_changed'),
  conversation_read: handle('conversation_read'),
  conversation_delivered: handle('conversation_delivered'),
  resync: (context, payload) => {
    handle('resync')(context, payload)
    // The missed events may also have changed profiles, matches and blocks. The random delay keeps devices from all
    // refetching at the same time.
    const again = () => {
      for (const queryKey of [profilesKey, matchesKey, blocksKey]) void readAnew(context.queryClient, { queryKey })
    }
    setTimeout(again, Math.random() * payload.withinMs)
  },
} satisfies Partial<EventHandlers>

export function followLine({ queryClient, socket }: Pick<RealtimeContext, 'queryClient' | 'socket'>): void {
  socket.on('connect', () => void chatOf(queryClient).connected())
}
