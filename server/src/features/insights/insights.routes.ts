import * as contract from '@duet/contract/insights.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorOf } from '../audit/actor.ts'
import { insightsNow } from './insights.ts'
import { listModels, rankWith } from './models.ts'
import { findPeople, funnelOf } from './people.ts'

export function insightsRoutes(serve: Serve, platform: Platform): void {
  serve(contract.getInsights, () => insightsNow(platform))
  serve(contract.findPeople, async ({ query }, { viewer }) => ({
    people: await findPeople(platform, viewer.id, query.query),
  }))
  serve(contract.getFunnel, ({ params }, { viewer }) => funnelOf(platform, viewer.id, params.userId))
  serve(contract.listModels, () => listModels(platform))
  serve(contract.useModel, ({ params }, call) => rankWith(platform, actorOf(call), params.version))
}
