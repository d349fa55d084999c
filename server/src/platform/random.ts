import { randomInt } from 'node:crypto'

export type Random = () => number

/** mulberry32 by T. Ettinger. Seeded, so that tests and evaluations are reproducible. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Standard normal distribution (Box and Muller, 1958). */
export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

export const drawBelow = (random: Random, end: number): number => Math.floor(random() * end)

export function shuffle<T>(random: Random, list: T[]): T[] {
  for (let last = list.length - 1; last > 0; last--) {
    const other = drawBelow(random, last + 1)
    const moved = list[last] as T
    list[last] = list[other] as T
    list[other] = moved
  }
  return list
}

export const shuffleByChance = <T>(list: T[]): T[] => shuffle(seededRandom(randomInt(2 ** 32)), list)
