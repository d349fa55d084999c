import type { Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * What axe complains of on a page, or in `part` of it, a line each. Read into a page once: the half megabyte of axe takes
 * longer to read than a screen takes to be looked at.
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
