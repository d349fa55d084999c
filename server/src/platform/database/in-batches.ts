/** Small enough that a cleanup job neither delays requests nor hits the statement timeout. */
export const batchSize = 1_000

export async function inBatches(remove: (most: number) => Promise<number>): Promise<void> {
  while ((await remove(batchSize)) >= batchSize);
}
