import type { conversationRequests } from '@duet/contract/conversations.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RequestHandler } from '../../platform/realtime.ts'
import { listConversations, type OnOpened, openConversation, readUpTo, sendMessage } from './conversations.ts'

type Handlers = { [R in keyof typeof conversationRequests]: RequestHandler<R> }

/** `onSent` hears of every message that was kept. */
export function conversationSockets(
  platform: Platform,
  onOpened: OnOpened,
  onSent: (senderId: string, receiverId: string, text: string) => void,
): Handlers {
  return {
    get_conversations: async (_payload, connection) => {
      connection.send('conversations', await listConversations(platform, connection.viewer.id, { withMessages: false }))
    },
    get_or_create_conversation: ({ withUser }, { viewer }) => openConversation(platform, viewer.id, withUser, onOpened),
    mark_as_read: async ({ conversationId, userId, upToSeq }, { viewer }) => {
      if (userId !== viewer.id) throw forbidden()
      await readUpTo(platform, viewer.id, conversationId, upToSeq)
      return { ok: true }
    },
    send_message: async (outgoing, connection) => {
      if (outgoing.senderId !== connection.viewer.id) throw forbidden()
      const message = await sendMessage(platform, connection.viewer.id, outgoing, { onOpened, connection })
      onSent(message.senderId, message.receiverId, message.message)
      return { ok: true, message }
    },
  }
}
