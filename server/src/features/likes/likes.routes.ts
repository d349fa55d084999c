import * as contract from '@duet/contract/likes.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { type DecisionHooks, decide, takeBack, undo } from './likes.ts'
import { listMade, listReceived } from './lists.ts'

const pages = { name: 'likes_pages', points: 120, seconds: 60 }
const takings = { name: 'decisions_taken_back', points: 120, seconds: 60 }

export function likeRoutes(serve: Serve, platform: Platform, hooks: DecisionHooks): void {
  serve(contract.decide, ({ params, body }, { viewer }) => decide(platform, viewer.id, params.userId, body, hooks))
  serve(contract.takeBack, async ({ params }, { viewer }) => {
    await platform.limits.spendHere(takings, viewer.id)
    await takeBack(platform, viewer.id, params.userId)
    return { ok: true } as const
  })
  serve(contract.undo, async (_input, { viewer }) => {
    await platform.limits.spendHere(takings, viewer.id)
    return undo(platform, viewer.id)
  })
  serve(contract.listReceivedLikes, async ({ query }, { viewer }) => {
    await platform.limits.spendHere(pages, viewer.id)
    return listReceived(platform, viewer.id, query)
  })
  serve(contract.listDecisions, async ({ query }, { viewer }) => {
    await platform.limits.spendHere(pages, viewer.id)
    return listMade(platform, viewer.id, query.decision, query)
  })
}
