// The tests of the web app know no other name of Node.
declare const process: { env: Record<string, string | undefined> }

const size = process.env.TEST_SIZE

/**
 * `npm test` sets TEST_SIZE=quick and leaves out, or makes short, what takes long. A file that imports this is run by
 * `npm run test:long` as well, then whole; so is one that is run by itself.
 */
export const isQuick = size === 'quick'

/** `npm run test:security -- --full` repeats what goes by chance for hours, on a machine that does nothing else. */
export const isFull = size === 'full'

/** One of three forms of the same; the full one is the long one unless it is given. */
export function sized<T>(quick: T, long: T, full = long): T {
  if (isQuick) return quick
  return isFull ? full : long
}
