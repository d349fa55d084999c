import type { Random } from '../platform/random.ts'

export function pick<T>(random: Random, list: readonly T[], lean = 1): T {
  return list[Math.floor(random() ** lean * list.length)] as T
}

export function pickShare<T>(random: Random, shares: readonly (readonly [T, number])[]): T {
  const total = shares.reduce((sum, [, share]) => sum + share, 0)
  let left = random() * total
  for (const [value, share] of shares) {
    left -= share
    if (left < 0) return value
  }
  return (shares.at(-1) as readonly [T, number])[0]
}

export function pickSome<T>(random: Random, list: readonly T[], count: number): T[] {
  const picked = new Set<T>()
  while (picked.size < Math.min(count, list.length)) picked.add(pick(random, list, 1.6))
  return [...picked]
}

/** A random waiting time, exponentially distributed with the given mean. */
export const waiting = (random: Random, mean: number): number => -Math.log(1 - random()) * mean
