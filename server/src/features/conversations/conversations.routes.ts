import * as contract from '@duet/contract/conversations.ts'
import { listCursorHeader } from '@duet/contract/limits.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { changeConversation, removeConversation } from './conversations.ts'
import type { Gate } from './hooks.ts'
import { listConversations } from './listing.ts'
import { deleteMessage, editMessage, listMessageChanges, listMessages, reactToMessage } from './messages.ts'
import { searchMessages } from './search.ts'

/** `gate` checks edited texts as it checks new messages. */
export function conversationRoutes(serve: Serve, platform: Platform, gate?: Gate): void {
  serve(contract.listHistory, async (_input, { viewer, reply }) => {
    const { conversations, cursor } = await listConversations(platform, viewer.id)
    if (cursor !== undefined) reply.header(listCursorHeader, cursor)
    return conversations
  })
  serve(contract.listMessages, ({ params, query }, { viewer }) =>
    listMessages(platform, viewer.id, params.userId, query),
  )
  serve(contract.listMessageChanges, ({ params, query }, { viewer }) =>
    listMessageChanges(platform, viewer.id, params.userId, query),
  )
  serve(contract.editMessage, ({ params, body }, { viewer }) =>
    editMessage(platform, viewer.id, params.userId, { seq: params.seq, body: body.message }, gate),
  )
  serve(contract.deleteMessage, ({ params }, { viewer }) =>
    deleteMessage(platform, viewer.id, params.userId, params.seq),
  )
  serve(contract.reactToMessage, ({ params, body }, { viewer }) =>
    reactToMessage(platform, viewer.id, params.userId, params.seq, body.emoji),
  )
  serve(contract.changeConversation, ({ params, body }, { viewer }) =>
    changeConversation(platform, viewer.id, params.userId, body),
  )
  serve(contract.removeConversation, async ({ params }, { viewer }) => {
    await removeConversation(platform, viewer.id, params.userId)
    return { ok: true } as const
  })
  serve(contract.searchMessages, ({ query }, { viewer }) => searchMessages(platform, viewer.id, query))
}
