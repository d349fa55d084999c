import * as contract from '@duet/contract/discovery.ts'
import { invalid } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { getDeck } from './deck.ts'
import { listNearby } from './discovery.ts'
import { measurePool } from './pool.ts'

const pages = { name: 'nearby_pages', points: 60, seconds: 60 }
const decks = { name: 'deck_pages', points: 120, seconds: 60 }
const measures = { name: 'pool_measures', points: 40, seconds: 60 }

export function discoveryRoutes(serve: Serve, platform: Platform): void {
  serve(contract.listNearby, async ({ query }, { viewer }) => {
    await platform.limits.spendHere(pages, viewer.id)
    return platform.inOrder(`nearby:${viewer.id}`, () => listNearby(platform, viewer.id, query.cursor, query.limit))
  })
  serve(contract.getDeck, async ({ query }, { viewer }) => {
    await platform.limits.spendHere(decks, viewer.id)
    return getDeck(platform, viewer.id, query.limit)
  })
  serve(contract.measurePool, async ({ body }, { viewer }) => {
    await platform.limits.spendHere(measures, viewer.id)
    if (body.ageMin !== undefined && body.ageMax !== undefined && body.ageMin > body.ageMax)
      throw invalid([{ path: 'ageMin', message: 'ageMin must not be above ageMax' }])
    // One after the other: somebody who asks for many at once waits for themselves alone.
    return platform.inOrder(`pool:${viewer.id}`, () => measurePool(platform, viewer.id, body))
  })
}
