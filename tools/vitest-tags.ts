import type { TestTagDefinition } from 'vitest/config'
import { type Tier, tier } from './tier.ts'

/**
 * The tags decide which tier runs a test. Tests that repeat something are never retried, because a single failure means
 * a bug.
 */
export const tags: TestTagDefinition[] = [
  { name: 'long', description: 'Runs in npm run test:long instead of npm test.' },
  { name: 'release', description: 'Runs only in npm run test:release.' },
  { name: 'more-in-long', description: 'Runs in npm test, and again with more rounds in npm run test:long.', retry: 0 },
  { name: 'more-in-release', description: 'Runs again with more rounds in npm run test:release.', retry: 0 },
  { name: 'race', description: 'Tests a race condition and is never retried.', retry: 0 },
]

const filters: Record<Tier, string> = {
  quick: '!long && !release',
  long: 'long || more-in-long',
  release: 'release || more-in-release',
}

export const tagsFilter = [filters[tier]]
