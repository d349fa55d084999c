import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { median } from '../../../tools/percentiles.ts'
import type { Figure } from '../../../tools/report.ts'
import type { Duet } from '../../../tools/server.ts'
import { like, type Resident, resident } from './town.ts'

// P15: how soon a match appears, and how smoothly cards move, on a phone.
const matches = 20
const swipes = 30
const apiDelay = 400
const slowdown = 4
const idleTime = 3_000
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits

const smooth = (deltas: number[]) => rounded(deltas.filter((delta) => delta < 17).length / deltas.length, 3)

interface Counted {
  deltas: number[]
  shift: number
  matchedAfter: number | null
}
declare global {
  var counted: Counted
  var counting: boolean
}

/** Runs in the page before any other script. */
function count(session: string): void {
  localStorage.setItem('user', session)
  globalThis.counted = { deltas: [], shift: 0, matchedAfter: null }
  globalThis.counting = false
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) globalThis.counted.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  let last = 0
  const frame = (now: number) => {
    if (globalThis.counting && last > 0) globalThis.counted.deltas.push(now - last)
    last = globalThis.counting ? now : 0
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  // Measures from the tap to the frame after the one that drew the match.
  addEventListener(
    'click',
    ({ timeStamp }) => {
      const look = () => {
        if (!document.querySelector('[data-match]')) requestAnimationFrame(look)
        else
          requestAnimationFrame(() =>
            setTimeout(() => (globalThis.counted.matchedAfter = performance.now() - timeStamp)),
          )
      }
      requestAnimationFrame(look)
    },
    { capture: true },
  )
}

async function openDeck(
  browser: Browser,
  duet: Duet,
  viewer: Resident,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ ...phone, baseURL: duet.baseURL })
  // tsx wraps functions in calls to `__name`, which doesn't exist in the page.
  await context.addInitScript('globalThis.__name = (value) => value')
  await context.addInitScript(count, JSON.stringify(viewer))
  const page = await context.newPage()
  await page.goto('/home', { waitUntil: 'networkidle' })
  await page.locator('[data-card=top] img').first().waitFor()
  return { context, page }
}

/** Milliseconds from a tap on Like to the first frame of the match. The people in the deck already like the viewer. */
async function matchTimes(browser: Browser, duet: Duet, viewer: Resident): Promise<number[]> {
  const { context, page } = await openDeck(browser, duet, viewer)
  await page.route('**/api/**', async (route) => {
    await sleep(apiDelay)
    await route.continue()
  })
  const deck = page.getByRole('region', { name: 'Deck' })
  const top = page.locator('[data-card=top]')
  await page.waitForLoadState('networkidle')
  const times: number[] = []
  while (times.length < matches) {
    await top.waitFor()
    if ((await top.getByText('Likes you').count()) === 0) {
      const before = await top.getAttribute('aria-label')
      await deck.getByRole('button', { name: 'Pass', exact: true }).tap()
      await page.locator(`[data-card=top]:not([aria-label="${before}"])`).waitFor()
      continue
    }
    await page.evaluate(() => (globalThis.counted.matchedAfter = null))
    await deck.getByRole('button', { name: 'Like', exact: true }).tap()
    await page.waitForFunction(() => globalThis.counted.matchedAfter !== null)
    times.push(await page.evaluate(() => globalThis.counted.matchedAfter ?? Number.NaN))
    await page.locator('[data-match=certain]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[data-match]').waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
  }
  await context.close()
  return times
}

/** The times between frames, in ms, while a finger swipes cards away, and the total layout shift. */
async function swipeFrames(browser: Browser, duet: Duet, viewer: Resident): Promise<Counted & { idle: number[] }> {
  const { context, page } = await openDeck(browser, duet, viewer)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  // Measure frames while nothing happens, as this machine's baseline.
  await page.evaluate(() => (globalThis.counting = true))
  await sleep(idleTime)
  await page.evaluate(() => (globalThis.counting = false))
  const idle = await page.evaluate(() => globalThis.counted.deltas.splice(0))
  const top = page.locator('[data-card=top]')
  for (let done = 0; done < swipes; done++) {
    await top.waitFor()
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: 380 }] })
    await page.evaluate(() => (globalThis.counting = true))
    await touch('touchStart', 280)
    for (let x = 268; x >= 60; x -= 13) {
      await touch('touchMove', x)
      await sleep(16)
    }
    await touch('touchEnd', 60)
    await sleep(300)
    await page.evaluate(() => (globalThis.counting = false))
    await sleep(100)
  }
  const counted = await page.evaluate(() => globalThis.counted)
  await context.close()
  return { ...counted, idle }
}

/** Measures how soon a match appears and how smoothly cards move, in a town created for it. */
export async function deckFigures(browser: Browser, duet: Duet): Promise<Figure[]> {
  const [liked, swiping] = [await resident(duet, 'Liked', 1), await resident(duet, 'Swiping', 2)]
  for (let number = 0; number < swipes + 2; number++) {
    const person = await resident(duet, `Person${number}`, number)
    await like(duet, person, liked)
  }
  const times = await matchTimes(browser, duet, liked)
  const { deltas, shift, idle } = await swipeFrames(browser, duet, swiping)
  return [
    {
      ...{ id: 'P15.match_ms', value: Math.round(median(times)), target: '<= 300' },
      note: `tap to first frame of the match, median of ${matches}, every API call delayed by ${apiDelay} ms; from ${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}`,
    },
    {
      ...{ id: 'P15.swipe_frames', value: smooth(deltas), target: '>= 0.95' },
      note: `share of ${deltas.length} frames under 17 ms while ${swipes} cards are swiped, CPU ${slowdown} times slower; of the same page at rest ${smooth(idle)}`,
    },
    {
      ...{ id: 'P15.cls', value: rounded(shift, 4), target: '<= 0.02' },
      note: 'layout shift of /home and of those swipes',
    },
  ]
}
