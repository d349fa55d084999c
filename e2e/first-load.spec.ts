import { scriptKilobytes } from '../tools/script-bytes.ts'
import { expect, test } from './fixtures.ts'
import { browserOf, someone } from './people.ts'

// P7 in docs/performance.md: the JavaScript that a first visit downloads.
test('the first visit to /login and to /home loads no more script than promised', async ({ browser, duet }) => {
  const options = { serviceWorkers: 'block' } as const
  const [visitor, ana] = [
    await browserOf(browser, duet, undefined, options),
    await browserOf(browser, duet, await someone(duet, 'Ana'), options),
  ]
  expect(await scriptKilobytes(visitor, '/login')).toBeLessThanOrEqual(110)
  expect(await scriptKilobytes(ana, '/home')).toBeLessThanOrEqual(190)
  for (const page of [visitor, ana]) await page.context().close()
})
