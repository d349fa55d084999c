import type { conversationRequests } from '@duet/contract/conversations.ts'
import { createLanes } from '../../platform/database/lanes.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RequestHandler } from '../../platform/realtime/realtime.ts'
import type { Asked } from './conversations.queries.ts'
import { deliverUpTo, openConversation, readUpTo } from './conversations.ts'
import type { OnOpened } from './hooks.ts'
import { chargeFor, type Sync, syncEach } from './listing.ts'
import type { Sending } from './sending.ts'

type Handlers = { [R in keyof typeof conversationRequests]: RequestHandler<R> }

/** The maximum number of conversations in one event: half a megabyte if all end with the longest messages. */
const rowsAtOnce = 50

interface Hooks {
  onOpened: OnOpened
  /** Called for each message that its receiver may see. */
  onSent(senderId: string, receiverId: string, text: string): void
}

export function conversationSockets(platform: Platform, sending: Sending, { onOpened, onSent }: Hooks): Handlers {
  // After an outage all clients sync at the same time, so their requests are answered in batches.
  const syncs = createLanes<Asked, Sync>({
    flush: (asked) => syncEach(platform, asked),
    most: 50,
  })
  return {
    get_conversations: async (payload, connection) => {
      const viewerId = connection.viewer.id
      const { conversations, ...answer } = await syncs.push(viewerId, { viewerId, since: payload?.since })
      await chargeFor(platform, viewerId, conversations)
      // Sends a long list only as fast as the client receives it.
      for (let sent = 0; sent === 0 || sent < conversations.length; sent += rowsAtOnce) {
        await connection.keptUp()
        connection.send('conversations', conversations.slice(sent, sent + rowsAtOnce))
      }
      return { ok: true, ...answer }
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
