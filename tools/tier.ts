// Declared here because the web tests' types don't include Node's.
declare const process: { env: Record<string, string | undefined> }

const tiers = ['quick', 'long', 'release'] as const
/**
 * `npm test` runs the quick tests. `npm run test:long` and `npm run test:release` run only tests that it leaves out.
 */
export type Tier = (typeof tiers)[number]

const chosen = process.env.TEST_TIER ?? 'quick'
const known = tiers.find((one) => one === chosen)
if (!known) throw new Error(`TEST_TIER is ${chosen}: it must be ${tiers.join(', ')}.`)
export const tier: Tier = known

/**
 * The number of rounds in each tier. Longer tiers skip a quick test unless it has the tag `more-in-long` or
 * `more-in-release`.
 */
export function rounds<T>(quick: T, long: T, release = long): T {
  return { quick, long, release }[tier]
}

/** For `it.each`: `npm test` runs the first few cases, `npm run test:long` the rest. */
export const firstQuick = <T>(count: number, cases: readonly T[]) => [
  { tags: [], cases: cases.slice(0, count) },
  { tags: ['long'], cases: cases.slice(count) },
]
