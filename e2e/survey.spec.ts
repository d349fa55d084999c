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

// Checks every screen with window sizes and settings that `all-screens.spec.ts` doesn't cover. SCREENS=FOLDER saves a
// small picture of each.

const phone = { width: 390, height: 844 }
const desk = { width: 1440, height: 900 }
const arabic = { locale: 'ar', forcedColors: 'active' } as const
/** The last two are a short window, and a common window at 200% zoom. */
const windows = [
  { width: 320, height: 568 },
  { width: 1920, height: 1080 },
  { width: 820, height: 520 },
  { width: 720, height: 450 },
]

interface Way {
  /** Each screen loads in the first window, which is then resized to the others. */
  windows: { width: number; height: number }[]
  options?: BrowserContextOptions
  tag?: string
}

const ways: Record<string, Way> = {
  'from the smallest phone to a wide window': { windows },
  'in Arabic and forced colours on a phone': { windows: [phone], options: arabic },
  'in Arabic and forced colours': { windows: [desk], options: arabic },
  // `all-screens.spec.ts` also uses a phone; this one is the smallest.
  'on a phone': { windows: [phone], tag: '@release' },
  'loaded in a wide window': { windows: windows.slice(1), tag: '@release' },
}

async function faultsOf(page: Page, name: string, { locale, forcedColors }: BrowserContextOptions) {
  const { overhang, moving } = await page.evaluate(() => ({
    overhang: document.documentElement.scrollWidth - innerWidth,
    moving: document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().duration !== 0)
      .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target?.outerHTML.slice(0, 160) : undefined))
      .filter((one) => !one?.includes('animate-spin')),
  }))
  return [
    ...(overhang > 0 ? [`scrolls sideways: ${overhang} px`] : []),
    ...moving.map((one) => `moves: ${one}`),
    ...(await misplaced(page, (page.viewportSize()?.width ?? 0) < 640 ? 44 : 24)),
    ...(forcedColors ? await untold(page) : []),
    // The design system's page isn't translated.
    ...(locale && name !== 'dev-ui' ? (await untranslated(page, locale)).map((text) => `in English: ${text}`) : []),
  ]
}

test.describe('every screen', () => {
  // Parallel, so that this file isn't the last to finish.
  test.describe.configure({ mode: 'parallel' })

  for (const [way, { windows, options = {}, tag = '@long' }] of Object.entries(ways)) {
    test(`every screen fits ${way}`, { tag }, async ({ browser, duet, people }) => {
      const inside = await browserOf(browser, duet, people.ana, options)
      const outside = await browserOf(browser, duet, undefined, options)
      const say = wordsOf(options.locale ?? 'en')
      const faults: Record<string, string[]> = {}
      for (const page of [inside, outside]) await page.addInitScript(watchShifts)
      for (const [name, visit] of Object.entries(screens)) {
        const page = signedOut.has(name) ? outside : inside
        await page.setViewportSize(windows[0] ?? phone)
        await visit({ page, say, ...people })
        await page.waitForLoadState('networkidle')
        const shifts = await shiftsOf(page)
        if (shifts.length > 0) faults[name] = shifts
        for (const size of windows) {
          await page.setViewportSize(size)
          await page.waitForLoadState('networkidle')
          await keep(page, `${name}-${size.width}-${options.locale ?? 'en'}`)
          const found = await faultsOf(page, name, options)
          if (found.length > 0) faults[`${name} at ${size.width}`] = found
        }
      }
      await inside.context().close()
      await outside.context().close()
      expect(faults).toEqual({})
    })
  }

  const late: Record<string, [BrowserContextOptions, string]> = {
    'on a phone': [{ viewport: phone }, '@long'],
    'in Arabic and forced colours': [{ viewport: desk, ...arabic }, '@long'],
    'in a low window': [{ viewport: { width: 820, height: 520 } }, '@release'],
    'at 200 per cent': [{ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }, '@release'],
  }
  for (const [way, [options, tag]] of Object.entries(late))
    test(`no screen shifts ${way} while scripts and responses arrive late`, { tag }, async ({
      browser,
      duet,
      people,
    }) => {
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

  test('the sections of /admin take the same number of rows before and after their counts load', {
    tag: '@long',
  }, async ({ browser, duet, people }) => {
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

  test('the deck’s buttons are visible next to the card, however low the window', { tag: '@long' }, async ({
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
