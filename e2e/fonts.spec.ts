import { expect, test } from './fixtures.ts'
import { browserOf, someone } from './people.ts'
import { shiftsOf, watchShifts } from './shifts.ts'

const smallPhone = { viewport: { width: 320, height: 568 } }

for (const locale of ['en', 'es', 'ar'])
  test(`nothing moves when fonts arrive late, in ${locale}`, { tag: locale === 'ar' ? [] : '@long' }, async ({
    browser,
    duet,
  }) => {
    const who = await someone(duet, 'Mina')
    for (const [viewer, paths] of [
      [undefined, ['/login', '/signup', '/TermsAndConditions']],
      [who, ['/likes', '/settings/account', `/profile/${who.id}`]],
    ] as const) {
      const page = await browserOf(browser, duet, viewer, { ...smallPhone, locale })
      await page.addInitScript(watchShifts)
      for (const path of paths) {
        let release = () => {}
        const released = new Promise<void>((resolve) => (release = resolve))
        let held = 0
        await page.route('**/*.woff2', async (route) => {
          held += 1
          await released
          await route.continue()
        })
        await page.goto(path, { waitUntil: 'commit' })
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        const late = page.waitForResponse('**/*.woff2')
        release()
        await late
        await page.waitForLoadState('networkidle')
        expect(held, path).toBeGreaterThan(0)
        expect(await shiftsOf(page, 0), path).toEqual([])
        await page.unrouteAll({ behavior: 'wait' })
      }
      await page.context().close()
    }
  })
