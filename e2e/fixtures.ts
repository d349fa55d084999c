import { test as base } from '@playwright/test'
import { type Duet, makeRelease, runningDuet, startDuet } from '../tools/server.ts'

interface PerTest {
  outbox: Duet['outbox']
}

interface PerWorker {
  /** Added to the server's environment: `test.use({ serverEnvironment: { DEMO: 'on' } })`. */
  serverEnvironment: Record<string, string>
  /** Runs the release (or tests the server at DUET_URL) instead of this build. */
  released: boolean
  duet: Duet
}

/** Playwright's test with one running Duet per worker, at `baseURL`. */
export const test = base.extend<PerTest, PerWorker>({
  serverEnvironment: [{ DEMO: 'off' }, { option: true, scope: 'worker' }],
  released: [false, { option: true, scope: 'worker' }],
  duet: [
    async ({ serverEnvironment, released }, use) => {
      const running = released ? runningDuet() : undefined
      const release = released && !running ? makeRelease() : undefined
      const duet = running ?? (await startDuet(serverEnvironment, release?.folder))
      await use(duet)
      await duet.stop()
      release?.remove()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ duet }, use) => use(duet.baseURL),
  outbox: async ({ duet }, use) => use(duet.outbox),
})

export { expect } from '@playwright/test'
