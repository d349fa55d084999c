import type { conversationRequests } from '@duet/contract/conversations.ts'
import { forbidden } from '../../platform/errors.ts'
import { createLanes } from '../../platform/lanes.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RequestHandler } from '../../platform/realtime.ts'
import type { Asked } from './conversations.queries.ts'
import { deliverUpTo, openConversation, readUpTo } from './conversations.ts'
import { lists, type Sync, syncEach } from './listing.ts'
import type { OnOpened, Sending } from './sending.ts'

type Handlers = { [R in keyof typeof conversationRequests]: RequestHandler<R> }

interface Hooks {
  onOpened: OnOpened
  /** Hears of every message that reached its receiver. */
  onSent(senderId: string, receiverId: string, text: string): void
}

export function conversationSockets(platform: Platform, sending: Sending, { onOpened, onSent }: Hooks): Handlers {
  // Everybody who comes back asks at once: they are answered together.
  const syncs = createLanes<Asked, Sync>({
    flush: (asked) => syncEach(platform, asked),
    mayBeOne: () => true,
    most: 50,
  })
  return {
    get_conversations: async (payload, connection) => {
      const viewerId = connection.viewer.id
      await platform.limits.spendHere(lists, viewerId)
      const { conversations, cursor, gone } = await syncs.push(viewerId, { viewerId, since: payload?.since })
      connection.send('conversations', conversations)
      return { ok: true, cursor, gone }
    },
    get_or_create_conversation: ({ withUser }, { viewer }) => openConversation(platform, viewer.id, withUser, onOpened),
    mark_as_read: async ({ conversationId, userId, upToSeq }, { viewer }) => {
      if (userId !== viewer.id) throw forbidden()
      await readUpTo(platform, viewer.id, conversationId, upToSeq)
      return { ok: true }
    },
    mark_as_delivered: async ({ conversationId, upToSeq }, { viewer }) => {
      await deliverUpTo(platform, viewer.id, conversationId, upToSeq)
      return { ok: true }
    },
    send_message: async (outgoing, connection) => {
      if (outgoing.senderId !== connection.viewer.id) throw forbidden()
      const message = await sending.sendMessage(connection.viewer.id, outgoing, connection)
      if (!sending.isHeld(message)) onSent(message.senderId, message.receiverId, message.message)
      return { ok: true, message }
    },
  }
}
