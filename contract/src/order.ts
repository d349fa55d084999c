/* Keep zod out of this file: the web app imports it at runtime. */

/** A comparator for sort(): negative if the first item comes first. */
export type Order<T> = (one: T, other: T) => number

/** NaN would compare as equal to everything, which breaks the order. */
type Key = string | number | boolean

/** Sorts ascending by the first key; later keys break ties. Strings compare by UTF-16 unit, false comes before true. */
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

/** Sorts names in the alphabetical order of a language, with ä next to a. */
export function byName<T>(language: string, name: (item: T) => string): Order<T> {
  const { compare } = new Intl.Collator(language)
  return (one, other) => compare(name(one), name(other))
}
