import type { Platform } from '../../platform/platform.ts'
import { seededRandom, shuffle } from '../../platform/random.ts'
import { wideRingsAround } from '../cells/cells.ts'
import { matchingConstants } from '../matching/constants.ts'

/**
 * The limits of a search: the distance up to which it goes through cells (km, the last bucket), rows per cell and
 * gender, rows in total, rows from any distance, and rows of people who like the viewer.
 */
export const searchBounds = { farthestKm: 100, perCell: 200, most: 600, anywhere: 200, received: 200 }

/**
 * If more people of a kind fit than a search returns, the most recently active ones are returned, except for these
 * reserved slots: for newcomers, and for people drawn at random who were active earlier.
 */
export const kept = { newcomers: 20, earlier: 40 }

/** For how many days a person counts as a newcomer. */
export const newDays = matchingConstants.newcomerHours / 24

export const { hiddenPresenceDays } = matchingConstants

/**
 * The random choices for a viewer on a day (`YYYY-MM-DD`), used if more people fit than a search returns. Everyone has
 * the same chance, and the viewer finds the same people all day.
 */
export interface Chance {
  /** The point on the circle of people (2 ** 32 points) at which each day's search starts. */
  point: number
  /** Where people drawn for the reserved slots start, as a fraction of a kind ordered by last activity. */
  start: number
  /** Seeds the random order of cells at the same distance. */
  cells: number
}

export function chanceOf({ secrets }: Pick<Platform, 'secrets'>, viewerId: string, today: string): Chance {
  const drawn = secrets.hmac('search-chance', today, viewerId)
  return { point: drawn.readUInt32BE(0), start: drawn.readUInt32BE(4) / 2 ** 32, cells: drawn.readUInt32BE(8) }
}

/** The wide cells within `km` of a cell's centre, in the order in which this viewer's search goes through them. */
export function cellsInTurn(cell: string, km: number, chance: Chance): string[] {
  const random = seededRandom(chance.cells)
  return wideRingsAround(cell, km).flatMap((ring) => shuffle(random, [...ring]))
}

/** Takes one item from each list in turn until there are `most`, so that a long list can't crowd out a short one. */
export function takeTurns<T>(lists: readonly (readonly T[])[], most: number): T[] {
  const taken: T[] = []
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  for (let nth = 0; nth < longest && taken.length < most; nth++)
    for (const list of lists) if (nth < list.length && taken.length < most) taken.push(list[nth] as T)
  return taken
}

/** The most items that `takeTurns` could take from one additional list. */
export function mostBeside(lists: readonly (readonly unknown[])[], most: number): number {
  let [left, sharing] = [most, lists.length + 1]
  for (const length of Uint32Array.from(lists, (list) => list.length).sort()) {
    if (length * sharing >= left) break
    left -= length
    sharing--
  }
  return Math.ceil(left / sharing)
}
