import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { tier } from './tools/tier.ts'
import { tags, tagsFilter } from './tools/vitest-tags.ts'

// Deadlines that only a standstill reaches: a test waits for the thing, however slow the machine is.
const patience = { testTimeout: 1_800_000, hookTimeout: 900_000, expect: { poll: { timeout: 60_000 } } }
// In CI one unlucky test doesn't refuse a whole delivery: scripts/test.mjs names and counts those that were retried.
const shared = { ...patience, tags, tagsFilter, retry: process.env.CI && tier !== 'release' ? 1 : 0 }

export default defineConfig({
  test: {
    tags,
    // More workers than cores on the smallest machine, because tests often wait for the database and for timers. Long
    // tests wait more than quick ones, and browser journeys run beside the quick ones.
    maxWorkers: tier === 'quick' ? 3 : 4,
    projects: [
      {
        test: {
          name: 'server',
          include: ['contract/src/**/*.test.ts', 'server/src/**/*.test.ts', 'bench/src/**/*.test.ts'],
          environment: 'node',
          // Files share what they import: each starts an app of its own anyway, and loading it took most of the time.
          isolate: false,
          globalSetup: ['server/src/test/global-setup.ts'],
          ...shared,
        },
      },
      {
        root: 'web',
        test: {
          name: 'web',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // A browser and React for each file were two thirds of the work; setup.ts makes up for it.
          isolate: false,
          // Keeps its toasts in itself.
          server: { deps: { inline: ['sonner'] } },
          setupFiles: [fileURLToPath(new URL('web/src/test/setup.ts', import.meta.url))],
          ...shared,
        },
      },
    ],
  },
})
