import { setTimeout } from 'node:timers/promises'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { keep } from './look.ts'
import { browserOf } from './people.ts'
import { misplaced, untold } from './pressables.ts'
import { test } from './screen-people.ts'
import { screens, signedOut } from './screens.ts'
import { shiftsOf, watchShifts } from './shifts.ts'
import { untranslated, wordsOf } from './words.ts'

// Every screen, in windows and with settings that `all-screens.spec.ts` does not have. With SCREENS=FOLDER each is kept
// as a small picture.

const phone = { width: 390, height: 844 }
const desk = { width: 1440, height: 900 }
const ways: Record<string, BrowserContextOptions> = {
  'on the smallest phone': { viewport: { width: 320, height: 568 } },
  'on a phone': { viewport: phone },
  'in a low window': { viewport: { width: 820, height: 520 } },
  'at 200 per cent': { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
  'in a wide window': { viewport: { width: 1920, height: 1080 } },
  'in Arabic and forced colours on a phone': { viewport: phone, locale: 'ar', forcedColors: 'active' },
  'in Arabic and forced colours': { viewport: desk, locale: 'ar', forcedColors: 'active' },
}

async function faultsOf(page: Page, name: string, { viewport, locale, forcedColors }: BrowserContextOptions) {
  const { overhang, moving } = await page.evaluate(() => ({
    overhang: document.documentElement.scrollWidth - innerWidth,
    moving: document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().duration !== 0)
      .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target?.outerHTML.slice(0, 160) : undefined))
      // What says that something is under way may turn.
      .filter((one) => !one?.includes('animate-spin')),
  }))
  return [
    ...(overhang > 0 ? [`scrolls sideways: ${overhang} px`] : []),
    ...(await shiftsOf(page)),
    ...moving.map((one) => `moves: ${one}`),
    ...(await misplaced(page, (viewport?.width ?? 0) < 640 ? 44 : 24)),
    ...(forcedColors ? await untold(page) : []),
    // The page of the design system is for those who build it.
    ...(locale && name !== 'dev-ui' ? (await untranslated(page, locale)).map((text) => `in English: ${text}`) : []),
  ]
}

test.describe('every screen', () => {
  // It would be the last to end: each worker takes some.
  test.describe.configure({ mode: 'parallel' })

  for (const [way, options] of Object.entries(ways)) {
    // `all-screens.spec.ts` has a phone, too, and the smallest one is stricter.
    test(`fits ${way}`, { tag: way === 'on a phone' ? '@release' : '@long' }, async ({ browser, duet, people }) => {
      const inside = await browserOf(browser, duet, people.ana, options)
      const outside = await browserOf(browser, duet, undefined, options)
      const say = wordsOf(options.locale ?? 'en')
      const faults: Record<string, string[]> = {}
      for (const page of [inside, outside]) await page.addInitScript(watchShifts)
      for (const [name, visit] of Object.entries(screens)) {
        const page = signedOut.has(name) ? outside : inside
        await visit({ page, say, ...people })
        await page.waitForLoadState('networkidle')
        await keep(page, `${name} ${way}`.replaceAll(' ', '-'))
        const found = await faultsOf(page, name, options)
        if (found.length > 0) faults[name] = found
      }
      await inside.context().close()
      await outside.context().close()
      expect(faults).toEqual({})
    })
  }

  const late = {
    'on a phone': '@long',
    'in Arabic and forced colours': '@long',
    'in a low window': '@release',
    'at 200 per cent': '@release',
  }
  for (const [way, tag] of Object.entries(late))
    test(`stands still ${way} while code and answers come late`, { tag }, async ({ browser, duet, people }) => {
      const options = ways[way] ?? {}
      const inside = await browserOf(browser, duet, people.ana, options)
      const outside = await browserOf(browser, duet, undefined, options)
      const say = wordsOf(options.locale ?? 'en')
      for (const page of [inside, outside]) {
        await page.addInitScript(watchShifts)
        await page.route(/\/api\/|\.js$/, async (route) => {
          await setTimeout(route.request().url().endsWith('.js') ? 100 : 400)
          await route.continue()
        })
      }
      const shifts: Record<string, string[]> = {}
      for (const [name, visit] of Object.entries(screens)) {
        const page = signedOut.has(name) ? outside : inside
        await visit({ page, say, ...people })
        await page.waitForLoadState('networkidle')
        const shifted = await shiftsOf(page)
        if (shifted.length > 0) shifts[name] = shifted
      }
      for (const page of [inside, outside]) {
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.context().close()
      }
      expect(shifts).toEqual({})
    })

  test('the parts of /admin take as many rows before their counts are known as after', { tag: '@long' }, async ({
    browser,
    duet,
    people,
  }) => {
    const rows = async (open: number | undefined, locale: string) => {
      const page = await browserOf(browser, duet, people.ana, { locale })
      await page.route('**/api/admin/moderation/figures', async (route) => {
        if (open === undefined) return
        const response = await route.fetch()
        const figures = await response.json()
        await route.fulfill({
          response,
          json: { ...figures, queues: figures.queues.map((one: object) => ({ ...one, open })) },
        })
      })
      await page.goto('/admin?view=people')
      const row = page.getByRole('navigation', { name: wordsOf(locale)('insights:parts') })
      await (open === undefined ? row : row.getByText(/\d/).first()).waitFor()
      const heights: Record<number, number | undefined> = {}
      for (let width = 640; width <= 1440; width += 20) {
        await page.setViewportSize({ width, height: 800 })
        heights[width] = (await row.boundingBox())?.height
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.context().close()
      return heights
    }
    for (const locale of ['en', 'ar']) {
      expect(await rows(4, locale)).toEqual(await rows(undefined, locale))
    }
  })

  test('has the buttons of the deck in sight and beside the card, however low the window', { tag: '@long' }, async ({
    browser,
    duet,
    people,
  }) => {
    const page = await browserOf(browser, duet, people.ana)
    await page.goto('/home')
    const card = page.locator('[data-card=top]')
    const like = page.getByRole('button', { name: 'Like', exact: true })
    await like.waitFor()
    for (const width of [320, 390, 639, 640, 820, 1024])
      for (const height of [520, 555, 590, 661]) {
        await page.setViewportSize({ width, height })
        const [beneath, button] = [await card.boundingBox(), await like.boundingBox()]
        const where = `${width} by ${height}`
        await keep(page, `deck-${width}-${height}`)
        expect((beneath?.y ?? 0) + (beneath?.height ?? 0), where).toBeLessThanOrEqual(button?.y ?? 0)
        expect((button?.y ?? height) + (button?.height ?? 0), where).toBeLessThanOrEqual(height)
      }
    await page.context().close()
  })
})
