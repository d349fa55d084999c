import { randomInt } from 'node:crypto'

/** Numbers from 0 up to 1, the same for the same seed. */
export type Random = () => number

/** A seeded generator (mulberry32 by T. Ettinger): what is drawn can be drawn again, in a test as in an evaluation. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A draw from the standard normal distribution (Box and Muller, 1958). */
export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** A whole number from 0 up to `end`, without it. */
export const drawBelow = (random: Random, end: number): number => Math.floor(random() * end)

/** Puts `list` into a random order, in place (Fisher and Yates). */
export function shuffle<T>(random: Random, list: T[]): T[] {
  for (let last = list.length - 1; last > 0; last--) {
    const other = drawBelow(random, last + 1)
    const moved = list[last] as T
    list[last] = list[other] as T
    list[other] = moved
  }
  return list
}

/** Puts `list` into another order each time, in place. */
export const shuffleByChance = <T>(list: T[]): T[] => shuffle(seededRandom(randomInt(2 ** 32)), list)
