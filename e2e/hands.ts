import { expect, type Locator, type Page } from '@playwright/test'

/** A way to use the app: each does the same with other means. */
export interface Hand {
  press(locator: Locator): Promise<void>
  /** Sets a radio button or a checkbox. */
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

/** Tab by Tab until something has the focus, as somebody without a mouse goes. */
async function tabTo(page: Page, locator: Locator): Promise<void> {
  await locator.waitFor()
  for (let stop = 0; stop < mostStops; stop++) {
    if (await isFocused(locator)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${locator}`)
}

/** Only keys: Tab, Enter, Space, arrows and letters. */
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
    // Of a group of radio buttons one is a stop; arrows lead to the others.
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
