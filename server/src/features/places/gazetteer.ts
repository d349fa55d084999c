import type { Place } from '@duet/contract/places.ts'
import { around } from 'geokdbush'
import KDBush from 'kdbush'
import { type Found, findNames } from './find-names.ts'
import { type GazetteerFile, readGazetteerFile, textAt } from './gazetteer-file.ts'
import { placeKey } from './place-keys.ts'
import { regionOf } from './regions.ts'

interface Gazetteer extends GazetteerFile {
  /** How many places have at least `wellKnown` inhabitants. They come first in the file, and `index` has only these. */
  large: number
  index: KDBush
}

// In inhabitants. The name of a place this large reveals little about where exactly a person is.
const wellKnown = 15_000
const countryNames = new Intl.DisplayNames('en', { type: 'region' })

let loaded: Gazetteer | undefined

/**
 * Loads the places into memory. Call it before a transaction that names places: on a small machine, loading takes
 * longer than a transaction may be idle.
 */
export function readGazetteer(): void {
  gazetteer()
}

/** Loads GeoNames' places (CC BY 4.0) on first use. */
function gazetteer(): Gazetteer {
  if (loaded) return loaded
  const file = readGazetteerFile()
  const { populations, latitudes, longitudes } = file
  const large = populations.findIndex((population) => population < wellKnown)
  const index = new KDBush(large)
  for (let place = 0; place < large; place++) index.add(longitudes[place] ?? 0, latitudes[place] ?? 0)
  index.finish()
  loaded = { ...file, large, index }
  return loaded
}

const codeOf = ({ codes, countries }: Gazetteer, place: number) => codes.countries[countries[place] ?? 0] ?? ''

function regionName({ codes, regions }: Gazetteer, place: number): string | undefined {
  const [country = '', region = ''] = codes.regions[regions[place] ?? 0]?.split('.') ?? []
  return regionOf(country, region)
}

/** Returns undefined if the place's own name matches. */
function otherName(places: Gazetteer, { place, key }: Found, query: string): string | undefined {
  if (placeKey(textAt(places.names, place)).startsWith(key)) return undefined
  const names = textAt(places.otherNames, place).split('\n')
  const fitting = names.filter((name) => placeKey(name).startsWith(key))
  const typed = query.normalize('NFC').toLowerCase()
  const inWriting = fitting.filter(
    (name) => typed.startsWith(name.toLowerCase()) || name.toLowerCase().startsWith(typed),
  )
  const shortest = (one: string, other: string) => (other.length < one.length ? other : one)
  const best = inWriting.length > 0 ? inWriting : fitting
  return best.length > 0 ? best.reduce(shortest) : undefined
}

function placeOf(places: Gazetteer, found: Found, query: string): Place {
  const { place } = found
  const region = regionName(places, place)
  const known = otherName(places, found, query)
  const code = codeOf(places, place)
  return {
    cityId: places.ids[place] ?? 0,
    name: textAt(places.names, place),
    ...(known && { otherName: known }),
    ...(region && { region }),
    country: countryNames.of(code) ?? code,
  }
}

/** Finds cities by the beginning of any name, best known first. A state or country may follow: "Paris, Texas". */
export function findPlaces(query: string, limit: number): Place[] {
  const places = gazetteer()
  return findNames(places, query, { limit, wellKnown }).map((found) => placeOf(places, found, query))
}

export function cityCentre(cityId: number): { latitude: number; longitude: number } | undefined {
  const { ids, latitudes, longitudes } = gazetteer()
  const place = ids.indexOf(cityId)
  if (place < 0) return undefined
  return { latitude: latitudes[place] ?? 0, longitude: longitudes[place] ?? 0 }
}

export function largestCities(count: number): { name: string; latitude: number; longitude: number }[] {
  const { names, latitudes, longitudes } = gazetteer()
  return Array.from({ length: count }, (_, place) => ({
    name: textAt(names, place),
    latitude: latitudes[place] ?? 0,
    longitude: longitudes[place] ?? 0,
  }))
}

/** The name of the nearest well-known place. Only pass centres of cells, never a person's position. */
export function areaName(centre: { latitude: number; longitude: number }): string {
  const { names, index } = gazetteer()
  const [nearest] = around(index, centre.longitude, centre.latitude, 1)
  return nearest === undefined ? '' : textAt(names, nearest)
}
