/* Don't import zod here: the web app loads this file at runtime. */

export type Order<T> = (one: T, other: T) => number

/** Keys must not be NaN, which compares as equal to everything and breaks the order. */
type Key = string | number | boolean

/** Sorts ascending by the first key; later keys break ties. Strings compare by UTF-16 unit; false sorts before true. */
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

/** Sorts by name in the language's alphabetical order, with ä next to a. */
export function byName<T>(language: string, name: (item: T) => string): Order<T> {
  const { compare } = new Intl.Collator(language)
  return (one, other) => compare(name(one), name(other))
}
