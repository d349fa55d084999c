/** Repeatable randomness: the same seed gives the same choices. */
export interface Chance {
  next(): number
  between(from: number, to: number): number
  pick<T>(items: readonly T[]): T
}

/** Mulberry32, a small and fast generator that is good enough to choose faults. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    between,
    pick: (items) => {
      if (items.length === 0) throw new Error('there is nothing to pick from')
      return items[between(0, items.length - 1)] as (typeof items)[number]
    },
  }
}
