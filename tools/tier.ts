// Web tests don't have Node's types.
declare const process: { env: Record<string, string | undefined> }

const tiers = ['quick', 'long', 'release'] as const
/** Quick tests run in `npm test`. `npm run test:long` and `npm run test:release` run only what it leaves out. */
export type Tier = (typeof tiers)[number]

const chosen = process.env.TEST_TIER ?? 'quick'
const known = tiers.find((one) => one === chosen)
if (!known) throw new Error(`TEST_TIER is ${chosen}: it must be ${tiers.join(', ')}.`)
export const tier: Tier = known

/**
 * How many rounds a test plays in each tier. Without the tag `more-in-long` or `more-in-release` the longer tiers skip a
 * test that `npm test` runs.
 */
export function rounds<T>(quick: T, long: T, release = long): T {
  return { quick, long, release }[tier]
}

/** Cases for `it.each`: `npm test` runs the first few, `npm run test:long` the others. */
export const firstQuick = <T>(count: number, cases: readonly T[]) => [
  { tags: [], cases: cases.slice(0, count) },
  { tags: ['long'], cases: cases.slice(count) },
]
