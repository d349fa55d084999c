import { test as base } from '@playwright/test'
import { type Duet, startDuet } from '../tools/server.ts'

interface PerTest {
  /** The newest sign-in code that was mailed to an address. */
  outbox: Duet['outbox']
}

interface PerWorker {
  /** Variables of the server's environment, over the defaults; `test.use({ serverEnvironment: { DEMO: 'on' } })`. */
  serverEnvironment: Record<string, string>
  duet: Duet
}

/** Playwright's test with one running Duet per worker behind `baseURL`. */
export const test = base.extend<PerTest, PerWorker>({
  serverEnvironment: [{ DEMO: 'off' }, { option: true, scope: 'worker' }],
  duet: [
    async ({ serverEnvironment }, use) => {
      const duet = await startDuet(serverEnvironment)
      await use(duet)
      await duet.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ duet }, use) => use(duet.baseURL),
  outbox: async ({ duet }, use) => use(duet.outbox),
})

export { expect } from '@playwright/test'
