import type { Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * Returns the violations that axe finds on a page, or in `part` of it, one line each. Loads the axe script once per
 * page because loading half a megabyte takes longer than checking a screen.
 */
export async function violationsOf(page: Page, part?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (selector) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const context = selector === undefined ? document : { include: [[selector]] }
    const { violations } = await axe.run(context, { resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  }, part)
}
