import { scriptKilobytes } from '../tools/script-bytes.ts'
import { expect, test } from './fixtures.ts'
import { browserOf, someone } from './people.ts'

// What a phone on a slow line waits for: P7 in docs/performance.md.
test('the first visit of /login and of /home loads no more script than was promised', async ({ browser, duet }) => {
  const options = { serviceWorkers: 'block' } as const
  const [visitor, ana] = [
    await browserOf(browser, duet, undefined, options),
    await browserOf(browser, duet, await someone(duet, 'Ana'), options),
  ]
  expect(await scriptKilobytes(visitor, '/login')).toBeLessThanOrEqual(110)
  expect(await scriptKilobytes(ana, '/home')).toBeLessThanOrEqual(190)
  for (const page of [visitor, ana]) await page.context().close()
})
