import * as contract from '@duet/contract/places.ts'
import type { Platform } from '../../platform/platform.ts'
import { networkOf } from '../../platform/rate-limit.ts'
import type { Serve } from '../../platform/serve.ts'
import { searchPlaces, updateLocation } from './places.ts'

const searches = { name: 'place_searches', points: 120, seconds: 60 }
const sayings = { name: 'location_sayings', points: 60, seconds: 60 }

/** `onFirstLocation` runs after somebody has said for the first time where they are; its failure is logged. */
export function placeRoutes(
  serve: Serve,
  platform: Platform,
  onFirstLocation: (userId: string) => Promise<void>,
): void {
  serve(contract.searchPlaces, async ({ query }, { request }) => {
    await platform.limits.spendHere(searches, networkOf(request.ip))
    return { places: searchPlaces(query.query, query.limit) }
  })
  serve(contract.updateLocation, async ({ body }, { viewer }) => {
    await platform.limits.spendHere(sayings, viewer.id)
    return { area: await updateLocation(platform, viewer.id, body, onFirstLocation) }
  })
}
