import * as contract from '@duet/contract/insights.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { insightsNow } from './insights.ts'
import { listModels, rankWith } from './models.ts'
import { findPeople, funnelOf } from './people.ts'

export function insightsRoutes(serve: Serve, platform: Platform): void {
  serve(contract.getInsights, () => insightsNow(platform))
  serve(contract.findPeople, async ({ query }) => ({ people: await findPeople(platform, query.query) }))
  serve(contract.getFunnel, ({ params }) => funnelOf(platform, params.userId))
  serve(contract.listModels, () => listModels(platform))
  serve(contract.useModel, ({ params }) => rankWith(platform, params.version))
}
