/** How many rows a sweep removes at once: few enough not to delay requests, and never to run into a time limit. */
export const batchSize = 1_000

/** Repeats `remove`, which removes up to `batchSize` rows and returns how many it did, until there are no more. */
export async function inBatches(remove: (most: number) => Promise<number>): Promise<void> {
  while ((await remove(batchSize)) >= batchSize);
}
