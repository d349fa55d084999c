import * as contract from '@duet/contract/discovery.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { listNearby } from './discovery.ts'

const pages = { name: 'nearby_pages', points: 60, seconds: 60 }

export function discoveryRoutes(serve: Serve, platform: Platform): void {
  serve(contract.listNearby, async ({ query }, { viewer }) => {
    await platform.limits.spendHere(pages, viewer.id)
    return listNearby(platform, viewer.id, query.cursor, query.limit)
  })
}
