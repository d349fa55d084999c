import * as contract from '@duet/contract/appeals.ts'
import { liftSanction as lift } from '@duet/contract/sanctions.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorOf } from '../audit/actor.ts'
import { appeal, decideAppeal, liftSanction } from './appeals.ts'
import { listAppeals } from './queue.ts'

export function appealRoutes(serve: Serve, platform: Platform): void {
  serve(contract.appeal, ({ body }, { viewer }) => appeal(platform, viewer.id, body))
  serve(contract.listAppeals, ({ query }, { viewer }) => listAppeals(platform, viewer.id, query))
  serve(contract.decideAppeal, async ({ params, body }, call) => {
    await decideAppeal(platform, actorOf(call), params.id, body)
    return { ok: true } as const
  })
  serve(lift, async ({ params, body }, call) => {
    await liftSanction(platform, actorOf(call), params.id, body.reason)
    return { ok: true } as const
  })
}
