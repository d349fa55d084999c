import type { EventHandlers, RealtimeContext } from '../../platform/socket.ts'
import {
  type Conversation,
  conversationOf,
  type Message,
  markRead,
  mergeConversations,
  newestSeq,
  receiveMessage,
} from './conversation-list.ts'
import { fillGap } from './conversations.api.ts'
import {
  changeConversations,
  conversationsKey,
  dropFromOutbox,
  knownConversations,
  useSelection,
} from './conversations.ts'
import { resendOutbox } from './outgoing.ts'

function receive({ queryClient, viewerId }: RealtimeContext, message: Message): void {
  const id = conversationOf(message, viewerId)
  const conversation = knownConversations(queryClient).find((known) => known.id === id)
  const newest = conversation?.messages ? newestSeq(conversation) : undefined
  const viewer = { viewerId, selectedId: useSelection.getState().selectedId }
  changeConversations(queryClient, (list) => receiveMessage(list, message, viewer))
  if (message.senderId === viewerId) dropFromOutbox(message.id)
  else if (conversation) announce(conversation, message)
  // A push was lost on the way: read what lies between.
  if (newest && message.seq !== undefined && message.seq > newest + 1)
    fillGap(queryClient, id, newest).catch((error: unknown) => console.error('Missed messages were not read.', error))
}

function announce({ user }: Conversation, message: Message): void {
  useSelection.setState({ announced: { name: user.name, text: message.message } })
}

/** What happens to the conversations when the server tells of one. */
export const conversationHandlers = {
  conversations: ({ queryClient }, received) => {
    queryClient.setQueryData<Conversation[]>(conversationsKey, (list = []) => mergeConversations(list, received))
    resendOutbox(queryClient)
  },
  'private message': receive,
  conversation_read: ({ queryClient, viewerId }, read) =>
    changeConversations(queryClient, (list) => markRead(list, read, viewerId)),
} satisfies Partial<EventHandlers>
