/**
 * For an LRUCache of `most` entries that allocates memory as it fills. With `max`, it would allocate everything at
 * once.
 */
export const upTo = (most: number) => ({ maxSize: most, sizeCalculation: () => 1 })
