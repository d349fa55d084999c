import { snap } from '../../../features/cells/cells.ts'

export interface Point {
  x: number
  y: number
}

export const metresBetween = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

const metresPerDegree = 111_195

export interface City {
  name: string
  latitude: number
  longitude: number
}

/** A flat map around a city, accurate enough for thirty kilometres. */
export interface Plane {
  place(point: Point): { latitude: number; longitude: number }
  point(latitude: number, longitude: number): Point
  cell(point: Point): string
}

export function planeOf({ latitude: lat0, longitude: lng0 }: City): Plane {
  const perLongitude = metresPerDegree * Math.cos((lat0 * Math.PI) / 180)
  const place = ({ x, y }: Point) => ({ latitude: lat0 + y / metresPerDegree, longitude: lng0 + x / perLongitude })
  return {
    place,
    point: (latitude, longitude) => ({ x: (longitude - lng0) * perLongitude, y: (latitude - lat0) * metresPerDegree }),
    cell: (point) => {
      const { latitude, longitude } = place(point)
      return snap(latitude, longitude).cell
    },
  }
}

/** Pseudo-random numbers from 0 to 1, determined by the seed. */
export function dice(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN
}
