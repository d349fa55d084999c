import type { Platform } from '../../platform/platform.ts'
import { seededRandom, shuffle } from '../../platform/random.ts'
import { wideRingsAround } from '../cells/cells.ts'
import { matchingConstants } from '../matching/constants.ts'

/**
 * What a search for candidates costs at most, whatever the population: how far it goes outward (km; the last bucket)
 * before it looks anywhere, rows of one cell and gender, rows in all, rows from anywhere, and of those who like the viewer.
 */
export const searchBounds = { farthestKm: 100, perCell: 200, most: 600, anywhere: 200, received: 200 }

/**
 * Where more people of one kind fit than a search takes, the most are those who were here last. But so many places are
 * kept for newcomers, and so many for people of any day, drawn.
 */
export const kept = { newcomers: 20, earlier: 40 }

/** Days for which a person is a newcomer. */
export const newDays = matchingConstants.newcomerHours / 24

export const { hiddenPresenceDays } = matchingConstants

/**
 * Decides, where more people fit than a search takes, which of them a viewer is offered on one day (`YYYY-MM-DD`): all have
 * the same chances, and a viewer finds the same people until the day ends.
 */
export interface Chance {
  /** Where on the circle of people (2 ** 32 points) the people of a day begin. */
  point: number
  /** How far down all people of a kind, those who were here last first, the places for any day begin: a share of them. */
  start: number
  /** Seed of the order of cells that are equally far. */
  cells: number
}

export function chanceOf({ secrets }: Pick<Platform, 'secrets'>, viewerId: string, today: string): Chance {
  const drawn = secrets.hmac('search-chance', today, viewerId)
  return { point: drawn.readUInt32BE(0), start: drawn.readUInt32BE(4) / 2 ** 32, cells: drawn.readUInt32BE(8) }
}

/** The wide cells within `km` of a cell's centre in the order in which a viewer's search walks through them. */
export function cellsInTurn(cell: string, km: number, chance: Chance): string[] {
  const random = seededRandom(chance.cells)
  return wideRingsAround(cell, km).flatMap((ring) => shuffle(random, [...ring]))
}

/**
 * One of each list in turn, for as long as a list lasts, until there are `most`: where all cannot be taken, no list is
 * crowded out by a longer one.
 */
export function takeTurns<T>(lists: readonly (readonly T[])[], most: number): T[] {
  const taken: T[] = []
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  for (let nth = 0; nth < longest && taken.length < most; nth++)
    for (const list of lists) if (nth < list.length && taken.length < most) taken.push(list[nth] as T)
  return taken
}

/** How many of one more list would be taken at most beside these. */
export function mostBeside(lists: readonly (readonly unknown[])[], most: number): number {
  let [left, sharing] = [most, lists.length + 1]
  for (const length of Uint32Array.from(lists, (list) => list.length).sort()) {
    if (length * sharing >= left) break
    left -= length
    sharing--
  }
  return Math.ceil(left / sharing)
}
