import * as contract from '@duet/contract/places.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { searchPlaces, updateLocation } from './places.ts'

/** `onFirstLocation` runs after a person has set their first location; a failure is logged. */
export function placeRoutes(
  serve: Serve,
  platform: Platform,
  onFirstLocation: (userId: string) => Promise<void>,
): void {
  serve(contract.searchPlaces, ({ query }) => ({ places: searchPlaces(query.query, query.limit) }))
  serve(contract.updateLocation, async ({ body }, { viewer }) => ({
    area: await updateLocation(platform, viewer.id, body, onFirstLocation),
  }))
}
