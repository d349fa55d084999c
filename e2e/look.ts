import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { violationsOf } from './axe.ts'
import { expect } from './fixtures.ts'

export const widths = [390, 820, 1440] as const
const themes = ['light', 'dark'] as const
/** The folder for pictures. If unset, none are saved. */
export const folder = process.env.SCREENS

export interface Look {
  /** Checks the current page in both themes: no axe violation in `part`, no horizontal overflow, no console error. */
  look: (name: string, part?: string) => Promise<void>
  /** Opens something and checks it in three widths, without reloading the page. */
  lookWide: (
    name: string,
    part: string | undefined,
    open: () => Promise<void>,
    close?: () => Promise<void>,
  ) => Promise<void>
  forgive: () => void
}

export const resize = (page: Page, width: number) => page.setViewportSize({ width, height: width === 390 ? 844 : 900 })

/**
 * Records a page's console errors and returns its checks. With `thrifty`, axe checks the narrowest width in both themes
 * but the widest in only one, because colours don't depend on the width.
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

/**
 * Returns the elements of a part that extend beyond the window. Fixed panels do so without causing horizontal
 * scrolling.
 */
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

export async function keep(page: Page, name: string): Promise<void> {
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await sharp(await page.screenshot())
    .webp({ quality: 70 })
    .toFile(join(folder, `${name}.webp`))
}
