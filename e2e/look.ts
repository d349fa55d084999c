import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { violationsOf } from './axe.ts'
import { expect } from './fixtures.ts'

export const widths = [390, 820, 1440] as const
const themes = ['light', 'dark'] as const
/** Where pictures are kept; unset, none are. */
export const folder = process.env.SCREENS

export interface Look {
  /** What shows now, in both themes: nothing axe complains of in `part`, nothing wider than the window, no complaint. */
  look: (name: string, part?: string) => Promise<void>
  /** Brings something on the screen and looks at it in three widths, without loading the page again. */
  lookWide: (
    name: string,
    part: string | undefined,
    open: () => Promise<void>,
    close?: () => Promise<void>,
  ) => Promise<void>
  /** Forgets what the console complained of: it was provoked. */
  forgive: () => void
}

export const resize = (page: Page, width: number) => page.setViewportSize({ width, height: width === 390 ? 844 : 900 })

/**
 * Watches the console of a page, and gives what looks at it. Being thrifty, axe looks at the narrowest in both themes
 * and at the widest in one: colours do not change with the width.
 */
export function lookAt(page: Page, { thrifty = false } = {}): Look {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  const look = async (name: string, part?: string) => {
    const width = page.viewportSize()?.width
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme })
      await expect(page.locator(`html[data-theme=${theme}]`)).toBeAttached()
      await keep(page, `${name}-${width}-${theme}`)
      if (thrifty && theme === 'dark' && width !== 390) continue
      const forAxe = !thrifty || width !== 820
      const where = `${name} at ${width}, ${theme}`
      const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overhang, where).toBeLessThanOrEqual(0)
      expect(await page.evaluate(zoomedInto), where).toEqual([])
      if (part) expect(await outsideOf(page, part), where).toEqual([])
      if (forAxe) expect(await violationsOf(page, part), where).toEqual([])
      expect(complaints, where).toEqual([])
    }
  }
  const lookWide: Look['lookWide'] = async (name, part, open, close = async () => undefined) => {
    for (const width of widths) {
      await resize(page, width)
      await open()
      await look(name, part)
      await close()
    }
  }
  return { look, lookWide, forgive: () => complaints.splice(0) }
}

/** Returns the fields that Safari on iOS would zoom into on focus, because their text is smaller than 16 px. */
function zoomedInto(): string[] {
  return [...document.querySelectorAll('input, select, textarea')]
    .filter((field) => !field.matches('[type=checkbox], [type=radio], [type=range], [type=file]'))
    .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
    .map((field) => field.outerHTML.slice(0, 120))
}

/** What of a part stands out of the window: panels that are fixed make no page wider. */
function outsideOf(page: Page, part: string): Promise<string[]> {
  return page.locator(part).evaluateAll((parts) =>
    parts
      .flatMap((one) => [...one.querySelectorAll('*')])
      .filter((one) => !one.closest('nav, .sr-only'))
      .filter((one) => {
        const { left, right } = one.getBoundingClientRect()
        return right > innerWidth + 1 || left < -1
      })
      .map((one) => one.outerHTML.slice(0, 120)),
  )
}

/** Keeps a picture of what shows, where pictures are kept. */
export async function keep(page: Page, name: string): Promise<void> {
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await sharp(await page.screenshot())
    .webp({ quality: 70 })
    .toFile(join(folder, `${name}.webp`))
}
