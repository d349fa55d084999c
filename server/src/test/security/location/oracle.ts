import { metresBetween, type Point } from './plane.ts'

/** What an attacker can find out about one victim from any position. Distances are in metres. */
export interface Oracle {
  distance(at: Point): number
  /** Whether the victim is listed with this distance filter. */
  isWithin(at: Point, radius: number): boolean
  /** Available distance filters, smallest first; undefined if any radius is allowed. */
  radii?: readonly number[]
  /** Whether the victim is listed before another account of the attacker's at `sybil`. */
  isBefore(at: Point, sybil: Point): boolean
  scheme: Scheme
}

/** The position that the scheme uses for a point, and the distance it displays between two such positions. */
export interface Scheme {
  placeOf(point: Point): string | Point
  shown(at: string | Point, target: string | Point): number
}

const isPoint = (place: string | Point): place is Point => typeof place !== 'string'

/** A scheme that computes the displayed distance from the true one. */
function schemeOf(show: (metres: number) => number): Scheme {
  return {
    placeOf: (point) => point,
    shown: (at, target) => (isPoint(at) && isPoint(target) ? show(metresBetween(at, target)) : Number.NaN),
  }
}

const kilometre = (metres: number) => Math.round(metres / 1000) * 1000
const nothing = { distance: () => Number.POSITIVE_INFINITY, isWithin: () => true, isBefore: () => false }

/**
 * Schemes known to be broken, and how close an attacker must get to their victims. An attack that fails on these is
 * itself broken, so its failure against Duet would prove nothing.
 */
export const controls = {
  'exact distance': {
    within: 1,
    about: (victim: Point): Oracle => ({
      ...nothing,
      distance: (at) => metresBetween(at, victim),
      scheme: schemeOf((metres) => metres),
    }),
  },
  'distance rounded to 1 km': {
    within: 5,
    about: (victim: Point): Oracle => ({
      ...nothing,
      distance: (at) => kilometre(metresBetween(at, victim)),
      scheme: schemeOf(kilometre),
    }),
  },
  'exact distance with 500 m of noise': {
    within: 60,
    about: (victim: Point, random: () => number): Oracle => ({
      ...nothing,
      distance: (at) => metresBetween(at, victim) + 500 * normal(random),
      scheme: schemeOf((metres) => metres),
    }),
  },
  'order by true distance': {
    within: 5,
    about: (victim: Point): Oracle => ({
      ...nothing,
      isBefore: (at, sybil) => metresBetween(at, victim) < metresBetween(at, sybil),
      scheme: schemeOf(() => Number.POSITIVE_INFINITY),
    }),
  },
  'any radius, by true distance': {
    within: 5,
    about: (victim: Point): Oracle => ({
      ...nothing,
      isWithin: (at, radius) => metresBetween(at, victim) <= radius,
      scheme: schemeOf(() => Number.POSITIVE_INFINITY),
    }),
  },
} as const

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
