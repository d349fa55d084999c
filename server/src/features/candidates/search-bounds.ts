import type { Platform } from '../../platform/platform.ts'
import { seededRandom, shuffle } from '../../platform/random.ts'
import { wideRingsAround } from '../cells/cells.ts'
import { matchingConstants } from '../matching/constants.ts'

/**
 * The limits of a search, whatever the population: how far it searches by cells (km; the last bucket), rows per cell
 * and gender, rows in total, rows from any distance, and rows of people who like the viewer.
 */
export const searchBounds = { farthestKm: 100, perCell: 200, most: 600, anywhere: 200, received: 200 }

/**
 * If more people of a kind fit than a search takes, the most recently active are taken. This many places are reserved
 * for newcomers and for randomly drawn people of any day.
 */
export const kept = { newcomers: 20, earlier: 40 }

/** How many days a person stays a newcomer. */
export const newDays = matchingConstants.newcomerHours / 24

export const { hiddenPresenceDays } = matchingConstants

/**
 * Decides which people a viewer is offered on a day (`YYYY-MM-DD`) if more fit than a search takes: everyone has the
 * same chance, and the viewer finds the same people all day.
 */
export interface Chance {
  /** The point on the circle of people (2 ** 32 points) where each day's people start. */
  point: number
  /** Where the reserved places for any day start, as a share of all people of a kind ordered by their last activity. */
  start: number
  /** Seeds the order of cells at the same distance. */
  cells: number
}

export function chanceOf({ secrets }: Pick<Platform, 'secrets'>, viewerId: string, today: string): Chance {
  const drawn = secrets.hmac('search-chance', today, viewerId)
  return { point: drawn.readUInt32BE(0), start: drawn.readUInt32BE(4) / 2 ** 32, cells: drawn.readUInt32BE(8) }
}

/** The wide cells within `km` of a cell's centre, in the order of a viewer's search. */
export function cellsInTurn(cell: string, km: number, chance: Chance): string[] {
  const random = seededRandom(chance.cells)
  return wideRingsAround(cell, km).flatMap((ring) => shuffle(random, [...ring]))
}

/** Takes one item of each list in turn until there are `most`, so that a long list can't crowd out a short one. */
export function takeTurns<T>(lists: readonly (readonly T[])[], most: number): T[] {
  const taken: T[] = []
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  for (let nth = 0; nth < longest && taken.length < most; nth++)
    for (const list of lists) if (nth < list.length && taken.length < most) taken.push(list[nth] as T)
  return taken
}

/** The most items that `takeTurns` could take of one further list. */
export function mostBeside(lists: readonly (readonly unknown[])[], most: number): number {
  let [left, sharing] = [most, lists.length + 1]
  for (const length of Uint32Array.from(lists, (list) => list.length).sort()) {
    if (length * sharing >= left) break
    left -= length
    sharing--
  }
  return Math.ceil(left / sharing)
}
