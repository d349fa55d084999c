// Web tests don't have Node's types.
declare const process: { env: Record<string, string | undefined> }

/** `npm test` runs the quick tests, `npm run test:long` and `npm run test:release` run only what it leaves out. */
export type Tier = 'quick' | 'long' | 'release'

export const tier = (process.env.TEST_TIER ?? 'quick') as Tier

/**
 * How much of the same a test does in each tier. The test must also have the tag `more-in-long` or `more-in-release`, or
 * that tier doesn't run it.
 */
export function rounds<T>(quick: T, long: T, release = long): T {
  return { quick, long, release }[tier]
}

/** Cases for `it.each`: `npm test` runs the first few, `npm run test:long` the others. */
export const firstQuick = <T>(count: number, cases: readonly T[]) => [
  { tags: [], cases: cases.slice(0, count) },
  { tags: ['long'], cases: cases.slice(count) },
]
