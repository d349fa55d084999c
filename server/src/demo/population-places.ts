import { cellToLatLng, latLngToCell } from 'h3-js'
import { areaName, largestCities } from '../features/places/gazetteer.ts'
import type { Random } from '../platform/random.ts'

/** `city` is the size rank of the nearest large city. */
export interface Home {
  city: number
  isRural: boolean
  cell: string
  latitude: number
  longitude: number
  area: string
}

/** The number of cities, the exponent of their sizes (Zipf's law), and the share of people who live outside them. */
const settlement = { cities: 1_000, steepness: 0.9, rural: 0.12 }
/**
 * How far people live from the centre, in kilometres: in the largest city, in the smallest ones, and in the country.
 */
const spreadKm = { largest: 15, smallest: 4, rural: 60 }
const kmPerDegree = 111.2

interface City {
  latitude: number
  longitude: number
  spread: number
  upTo: number
}

let known: City[] | undefined
const areas = new Map<string, string>()

function cities(): City[] {
  if (known) return known
  const shares = Array.from({ length: settlement.cities }, (_, rank) => (rank + 1) ** -settlement.steepness)
  const total = shares.reduce((sum, share) => sum + share, 0)
  let passed = 0
  known = largestCities(settlement.cities).map(({ latitude, longitude }, rank) => {
    const share = shares[rank] as number
    passed += share / total
    const spread = Math.max(spreadKm.smallest, spreadKm.largest * share ** 0.3)
    return { latitude, longitude, spread, upTo: passed }
  })
  return known
}

function areaOf(cell: string, latitude: number, longitude: number): string {
  const area = areas.get(cell) ?? areaName({ latitude, longitude })
  areas.set(cell, area)
  return area
}

export function drawHome(random: Random): Home {
  const isRural = random() < settlement.rural
  const draw = random()
  // Rural people are spread evenly over the surroundings of all cities.
  const rank = isRural ? Math.floor(draw * cities().length) : cities().findIndex(({ upTo }) => draw < upTo)
  const city = cities().at(rank) as City
  const spread = isRural ? spreadKm.rural : city.spread
  const far = (Math.sqrt(-2 * Math.log(1 - random())) * spread) / kmPerDegree
  const direction = random() * 2 * Math.PI
  const east = (far * Math.sin(direction)) / Math.cos((city.latitude * Math.PI) / 180)
  const cell = latLngToCell(city.latitude + far * Math.cos(direction), city.longitude + east, 7)
  const [latitude, longitude] = cellToLatLng(cell)
  return { city: rank, isRural, cell, latitude, longitude, area: areaOf(cell, latitude, longitude) }
}
