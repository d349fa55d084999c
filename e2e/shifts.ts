import type { Page } from '@playwright/test'

declare global {
  var shifts: { value: number; moved: string[] }[]
}

/**
 * Runs in the page before any other script. Records layout shifts and the elements that moved, until the first input,
 * because layout may move in response to typing.
 */
export function watchShifts(): void {
  globalThis.shifts = []
  let writtenAt = Number.POSITIVE_INFINITY
  addEventListener('input', ({ timeStamp }) => (writtenAt = Math.min(writtenAt, timeStamp)), true)
  type Shift = PerformanceEntry & {
    value: number
    hadRecentInput: boolean
    sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
  }
  const told = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ')
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, startTime, sources } of list.getEntries() as Shift[])
      if (!hadRecentInput && startTime < writtenAt)
        globalThis.shifts.push({
          value,
          moved: sources.map(({ node, previousRect, currentRect }) => {
            const what = node instanceof Element ? node.outerHTML : node?.textContent
            return `${told(previousRect)} to ${told(currentRect)}: ${what?.slice(0, 200)}`
          }),
        })
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Returns a page's layout shifts. Empty if their sum is at most `allowed`, which is too small to notice. */
export async function shiftsOf(page: Page, allowed = 0.02): Promise<string[]> {
  const shifts = await page.evaluate(() => globalThis.shifts)
  const sum = shifts.reduce((all, { value }) => all + value, 0)
  return sum > allowed ? [`shifts by ${sum}`, ...shifts.flatMap(({ value, moved }) => [`by ${value}`, ...moved])] : []
}
