import { expect, type Locator, type Page } from '@playwright/test'

export interface Hand {
  press(locator: Locator): Promise<void>
  check(locator: Locator): Promise<void>
  write(locator: Locator, text: string): Promise<void>
}

export const mouse: Hand = {
  press: (locator) => locator.click(),
  check: (locator) => locator.check(),
  write: (locator, text) => locator.fill(text),
}

export const finger: Hand = {
  press: (locator) => locator.tap(),
  async check(locator) {
    await locator.tap()
    await expect(locator).toBeChecked()
  },
  async write(locator, text) {
    await locator.tap()
    await locator.pressSequentially(text)
  },
}

const mostStops = 120
const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement)

async function tabTo(page: Page, locator: Locator): Promise<void> {
  await locator.waitFor()
  for (let stop = 0; stop < mostStops; stop++) {
    if (await isFocused(locator)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${locator}`)
}

export const keyboard: Hand = {
  async press(locator) {
    await tabTo(locator.page(), locator)
    await locator.page().keyboard.press('Enter')
  },
  async check(locator) {
    const page = locator.page()
    const name = await locator.getAttribute('name')
    const isRadio = (await locator.getAttribute('type')) === 'radio'
    if (!isRadio) {
      await tabTo(page, locator)
      await page.keyboard.press('Space')
      return
    }
    // Tab stops at one radio button per group, and the arrow keys reach the others.
    for (let stop = 0; stop < mostStops; stop++) {
      if ((await page.evaluate(() => document.activeElement?.getAttribute('name'))) === name) break
      await page.keyboard.press('Tab')
    }
    if (await isFocused(locator)) await page.keyboard.press('Space')
    for (let step = 0; step < 10 && !(await locator.isChecked()); step++) await page.keyboard.press('ArrowDown')
    await expect(locator).toBeChecked()
  },
  async write(locator, text) {
    const page = locator.page()
    await tabTo(page, locator)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(text)
  },
}

type Spot = readonly [x: number, y: number]

/** Moves several fingers across the screen at the same time. `held` runs before they are lifted. */
export async function fingers(
  page: Page,
  paths: { from: Spot; to: Spot }[],
  held?: () => Promise<void>,
): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const at = (share: number) =>
    paths.map(({ from, to }, id) => ({
      id,
      x: from[0] + (to[0] - from[0]) * share,
      y: from[1] + (to[1] - from[1]) * share,
    }))
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  await held?.()
  for (let step = 1; step <= 12; step++)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / 12) })
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}
