import type { TestTagDefinition } from 'vitest/config'
import { type Tier, tier } from './tier.ts'

/** Which tier runs a test. Tests that repeat something are never retried: a promise broken once is broken. */
export const tags: TestTagDefinition[] = [
  { name: 'long', description: 'Runs in npm run test:long instead of npm test.' },
  { name: 'release', description: 'Runs in npm run test:release alone.' },
  { name: 'more-in-long', description: 'Runs in npm test, and again with more rounds in npm run test:long.', retry: 0 },
  { name: 'more-in-release', description: 'Runs again with more rounds in npm run test:release.', retry: 0 },
  { name: 'race', description: 'Proves that a race has one outcome: it is never retried.', retry: 0 },
]

const filters: Record<Tier, string> = {
  quick: '!long && !release',
  long: 'long || more-in-long',
  release: 'release || more-in-release',
}

export const tagsFilter = [filters[tier]]
