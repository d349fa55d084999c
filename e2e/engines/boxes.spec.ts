import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import type { Duet } from '../../tools/server.ts'
import { expect, test } from '../fixtures.ts'
import { addPhoto, browserOf, picture, type Someone } from '../people.ts'
import { type Cast, gather } from '../screen-people.ts'
import { screens, signedOut, type Visit } from '../screens.ts'
import { wordsOf } from '../words.ts'
import { type Boxes, differences, settledBoxes } from './boxes.ts'
import type { Browsing } from './browsing.ts'
import { dialogs } from './dialogs.ts'
import { engines, lacking } from './engines.ts'
import { Remote } from './remote.ts'

// 500 is the narrowest window that Firefox allows. Dialogs are centred in the wider two but not in the first.
const widths = [500, 820, 1440]
const resize = (page: Browsing, width: number) => page.setViewportSize({ width, height: 900 })

test.use({ serverEnvironment: { SUPER_ADMIN_EMAIL: 'boss@example.com', DEMO: 'off' } })

let people: Cast
test.beforeAll(async ({ duet }) => {
  people = await gather(duet, { demo: false })
  await addPhoto(duet, people.ana, await picture('#c96f4a'))
})

async function chromiumOf(browser: Browser, duet: Duet, person?: Someone): Promise<Page> {
  const page = await browserOf(browser, duet, person, { locale: 'en-US', timezoneId: 'Europe/Berlin' })
  page.setDefaultTimeout(60_000)
  await page.addInitScript(() => {
    for (const name of ['PublicKeyCredential', 'PushManager']) Reflect.deleteProperty(window, name)
  })
  return page
}

async function signIn(page: Browsing, person: Someone): Promise<void> {
  await page.goto('/terms')
  await page.evaluate((user) => localStorage.setItem('user', user), JSON.stringify(person))
}

/** Runs in the page: loads the files of all fonts into the browser's cache. */
async function fetchFonts(): Promise<void> {
  const facesIn = (rules: CSSRuleList): CSSFontFaceRule[] =>
    [...rules].flatMap((rule) =>
      rule instanceof CSSFontFaceRule ? rule : 'cssRules' in rule ? facesIn(rule.cssRules as CSSRuleList) : [],
    )
  const files = [...document.styleSheets].flatMap((sheet) =>
    facesIn(sheet.cssRules).flatMap((face) =>
      [...face.style.getPropertyValue('src').matchAll(/url\("?([^")]+)/g)].map(
        ([, file = '']) => new URL(file, sheet.href ?? location.href),
      ),
    ),
  )
  await Promise.all(files.map(async (file) => (await fetch(file)).arrayBuffer()))
}

async function failedFonts(): Promise<string[]> {
  const loads = await Promise.allSettled([...document.fonts].map((font) => font.load()))
  return loads.flatMap((load) => (load.status === 'rejected' ? String(load.reason) : []))
}

// WebKit uses an optional font only if it is available immediately, and doesn't retry on the same page.
async function loadFonts(page: Browsing): Promise<void> {
  for (let tries = 3, reasons = ['']; reasons.length > 0; tries--) {
    if (tries === 0) throw new Error(`Fonts could not be loaded: ${reasons.join()}`)
    await page.goto('/login')
    await page.evaluate(fetchFonts)
    await page.goto('/login')
    reasons = await page.evaluate(failedFonts)
  }
}

/** Returns the differences between two pages, once ten comparisons in a row give the same result. */
async function compare(chromium: Browsing, other: Browsing): Promise<string[]> {
  let found: string[] = []
  // One browser may still be loading during the first comparisons.
  for (let looks = 0; looks < 10; await sleep(300)) {
    const boxes = await Promise.all([chromium, other].map(settledBoxes))
    const now = differences(...(boxes as [Boxes, Boxes]))
    if (now.length === 0) return []
    looks = now.join() === found.join() ? looks + 1 : 0
    found = now
  }
  return found
}

for (const [engine, { start }] of Object.entries(engines))
  for (const [what, all] of Object.entries({ screen: screens, dialog: dialogs }))
    test(`every ${what} has the sizes in ${engine} that it has in Chromium`, { tag: '@long' }, async ({
      browser,
      duet,
    }) => {
      const reason = lacking(engine)
      test.skip(Boolean(reason), reason)
      const [inside, outside] = [await chromiumOf(browser, duet, people.ana), await chromiumOf(browser, duet)]
      const { command, stop } = await start()
      const remote = new Remote(command, duet.baseURL)
      const faults: Record<string, string | string[]> = {}
      const visit = async (page: Browsing, open: (visit: Visit) => Promise<void>) => {
        await resize(page, 820)
        await open({ page, say: wordsOf('en'), ...people })
        if (what === 'dialog') await page.getByRole('dialog').first().waitFor()
      }
      const look = async (name: string, chromium: Page, open: (visit: Visit) => Promise<void>) => {
        const different: typeof faults = {}
        await Promise.all([chromium, remote].map((page) => visit(page, open)))
        for (const width of widths) {
          await Promise.all([chromium, remote].map((page) => resize(page, width)))
          const found = await compare(chromium, remote)
          if (found.length > 0) different[`${name} at ${width}`] = found
        }
        return different
      }
      const measure = async (name: string, chromium: Page, open: (visit: Visit) => Promise<void>) => {
        let different = await look(name, chromium, open)
        // A font that loads late is first used on the next visit.
        if (Object.keys(different).length > 0) different = await look(name, chromium, open)
        Object.assign(faults, different)
      }
      try {
        // A font that loads late is first used on the next page; until then a wider fallback font is used.
        for (const page of [inside, outside, remote]) await loadFonts(page)
        const [out, within] = [true, false].map((is) =>
          Object.entries(all).filter(([name]) => signedOut.has(name) === is),
        )
        for (const [name, open] of out ?? []) await measure(name, outside, open)
        await signIn(remote, people.ana)
        for (const [name, open] of within ?? []) await measure(name, inside, open)
      } finally {
        await stop()
      }
      for (const page of [inside, outside]) await page.context().close()
      expect(faults).toEqual({})
    })
