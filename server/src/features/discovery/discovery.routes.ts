import * as contract from '@duet/contract/discovery.ts'
import { invalid } from '../../platform/errors.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { getDeck } from './deck.ts'
import { listNearby } from './discovery.ts'
import { measurePool } from './pool.ts'

export function discoveryRoutes(serve: Serve, platform: Platform): void {
  serve(contract.listNearby, ({ query }, { viewer }) =>
    platform.inOrder(`nearby:${viewer.id}`, () => listNearby(platform, viewer.id, query.cursor, query.limit)),
  )
  serve(contract.getDeck, ({ query }, { viewer }) => getDeck(platform, viewer.id, query.limit))
  serve(contract.measurePool, async ({ body }, { viewer }) => {
    if (body.ageMin !== undefined && body.ageMax !== undefined && body.ageMin > body.ageMax)
      throw invalid([{ path: 'ageMin', message: 'ageMin must not be above ageMax' }])
    // One request at a time, so that people who send many delay only themselves.
    return platform.inOrder(`pool:${viewer.id}`, () => measurePool(platform, viewer.id, body))
  })
}
