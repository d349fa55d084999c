import * as contract from '@duet/contract/likes.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { type DecisionHooks, decide, takeBack, undo } from './likes.ts'
import { listMade, listReceived } from './lists.ts'

export function likeRoutes(serve: Serve, platform: Platform, hooks: DecisionHooks): void {
  serve(contract.decide, ({ params, body }, { viewer }) => decide(platform, viewer.id, params.userId, body, hooks))
  serve(contract.takeBack, async ({ params }, { viewer }) => {
    await takeBack(platform, viewer.id, params.userId)
    return { ok: true } as const
  })
  serve(contract.undo, ({ body }, { viewer }) => undo(platform, viewer.id, body?.userId))
  serve(contract.listReceivedLikes, ({ query }, { viewer }) => listReceived(platform, viewer.id, query))
  serve(contract.listDecisions, ({ query }, { viewer }) => listMade(platform, viewer.id, query.decision, query))
}
