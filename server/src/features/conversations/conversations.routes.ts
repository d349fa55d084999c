import * as contract from '@duet/contract/conversations.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { listConversations, listMessages } from './conversations.ts'

export function conversationRoutes(serve: Serve, platform: Platform): void {
  serve(contract.listHistory, (_input, { viewer }) => listConversations(platform, viewer.id, { withMessages: true }))
  serve(contract.listMessages, ({ params, query }, { viewer }) =>
    listMessages(platform, viewer.id, params.userId, query),
  )
}
