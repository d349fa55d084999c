/** For an LRUCache of `most` entries that takes room as it fills. With `max` it takes all of it when it is made. */
export const upTo = (most: number) => ({ maxSize: most, sizeCalculation: () => 1 })
