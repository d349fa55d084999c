/*
 * A plain file without schemas: the web app takes it as it is.
 */

/** Compares two items for sort(): below 0 when the first one comes earlier. */
export type Order<T> = (one: T, other: T) => number

/** Equal keys compare as equal. NaN compares as equal to everything, and then no order holds. */
type Key = string | number | boolean

/** From the smallest key; by the next key where one is equal. Texts by UTF-16 unit, false before true. */
export function by<T>(...keys: ((item: T) => Key)[]): Order<T> {
  return (one, other) => {
    for (const key of keys) {
      const first = key(one)
      const second = key(other)
      if (first < second) return -1
      if (first > second) return 1
    }
    return 0
  }
}

export const ascending: Order<number> = by((value) => value)

export const descending =
  <T>(order: Order<T>): Order<T> =>
  (one, other) =>
    order(other, one)

/** By name, in the alphabetical order of the language: ä beside a. */
export function byName<T>(language: string, name: (item: T) => string): Order<T> {
  const { compare } = new Intl.Collator(language)
  return (one, other) => compare(name(one), name(other))
}
