import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { rateLimits } from './rate-limits.ts'

export const Place = z.object({
  cityId: z.int(),
  name: z.string(),
  /** The name that matched the search, if different from `name`: "Firenze" for Florence. */
  otherName: z.string().optional(),
  region: z.string().optional(),
  country: z.string(),
})
export type Place = z.infer<typeof Place>

/** The name of the nearest larger place. Other people never get a more precise location than this. */
export const AreaView = z.object({ area: z.string() })

export const searchPlaces = endpoint({
  method: 'GET',
  path: '/api/places',
  summary: 'Find a city by the beginning of any of its names. Needs no account; works offline.',
  access: 'public',
  limit: rateLimits.placeSearches,
  query: z.object({
    query: z.string().trim().min(1).max(80),
    limit: z.coerce.number<number>().int().min(1).max(20).default(8),
  }),
  response: z.object({ places: z.array(Place) }),
})

const Coordinates = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
})

export const updateLocation = endpoint({
  method: 'PATCH',
  path: '/api/user/updateLocation',
  summary: 'Say where I am, by coordinates (snapped to an area before they are kept) or by city.',
  access: 'member',
  limit: rateLimits.locationSayings,
  body: z.union([Coordinates, z.strictObject({ cityId: z.int() })]),
  response: AreaView,
  errors: ['not_found', 'rate_limited'],
})

export const placeEndpoints = [searchPlaces, updateLocation] as const
