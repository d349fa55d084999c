import { expect, test } from './fixtures.ts'
import { keep } from './look.ts'
import { browserOf, say, someone, wellington } from './people.ts'

test('the notifications popover has the widths of the specification, and its list scrolls above 400 px', async ({
  browser,
  duet,
}) => {
  const page = await browserOf(browser, duet, await someone(duet, 'Ana'))
  const notifications = Array.from({ length: 9 }, (_, id) => {
    const shown = { kind: 'message', params: { name: 'Ben', preview: 'Hello' }, title: 'Ben', message: 'Hello' }
    return { id: `${id}`, ...shown, type: 'message', timestamp: new Date().toISOString(), read: false }
  })
  await page.route('**/api/notifications', (route) => route.fulfill({ json: { notifications } }))
  await page.goto('/home')
  const popover = page.getByRole('dialog', { name: 'Notifications' })
  const list = popover.getByRole('list')
  for (const [window, width] of [
    [1440, 400],
    [960, 400],
    [900, 675],
    [639, 639],
  ] as const) {
    await page.setViewportSize({ width: window, height: 900 })
    await page.getByRole('button', { name: 'Notifications' }).click()
    await expect(list.getByRole('listitem')).toHaveCount(9)
    expect((await popover.boundingBox())?.width).toBe(width)
    await page.keyboard.press('Escape')
    await expect(popover).toBeHidden()
  }
  await page.getByRole('button', { name: 'Notifications' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(9)
  const size = await list.evaluate((element) => {
    const scroller = [element, element.parentElement].find((one) => one && one.scrollHeight > one.clientHeight)
    return scroller && { height: scroller.clientHeight, overflow: getComputedStyle(scroller).overflowY }
  })
  expect(size).toEqual({ height: 400, overflow: 'auto' })
  await page.context().close()
})

test("resizing the window at any moment doesn't keep the popover from closing", { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const ana = await someone(duet, 'Ana')
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    const page = await browserOf(browser, duet, ana, { reducedMotion })
    await page.goto('/home')
    const bell = page.getByRole('button', { name: 'Notifications' })
    const popover = page.getByRole('dialog', { name: 'Notifications' })
    await bell.click()
    await expect(popover).toBeVisible()
    await page.keyboard.press('Escape')
    for (const frames of [0, 1, 2, 3, 1, 2, 0, 1, 2, 4, 8, 1, 2]) {
      await expect(popover).toBeHidden()
      await bell.evaluate(async (button: HTMLElement, count) => {
        button.click()
        while (!document.querySelector('[role=dialog]')) await new Promise((resolve) => setTimeout(resolve))
        for (let n = 0; n < count; n++) await new Promise(requestAnimationFrame)
        window.dispatchEvent(new Event('resize'))
      }, frames)
    }
    await expect(popover).toBeHidden()
    await page.context().close()
  }
})

const windows = [
  [390, 844],
  [820, 1180],
  [1440, 900],
  [320, 568],
  // A 320 px window minus a 12 px scrollbar.
  [308, 568],
  [640, 700],
  [820, 520],
  [1024, 768],
  [1920, 1080],
] as const

function coveredBy(): string[] {
  const toasts = [...document.querySelectorAll('[data-sonner-toast][data-removed=false]')]
  if (toasts.length === 0) return ['There is no toast.']
  const faces = (element: Element) => {
    const [{ left, right, top, bottom }, panel] = [
      element.getBoundingClientRect(),
      element.closest('[role=dialog]')?.getBoundingClientRect(),
    ]
    return { left, right, top: Math.max(top, panel?.top ?? 0), bottom: Math.min(bottom, panel?.bottom ?? innerHeight) }
  }
  return [...document.querySelectorAll('[role=dialog] :is(button, a, input)')]
    .filter((button) => {
      const a = faces(button)
      return toasts.map(faces).some((b) => {
        return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom && a.top < a.bottom
      })
    })
    .map((button) => `over ${button.textContent || button.outerHTML}`)
}

test('a toast covers no button of a popover or sheet, at any window size', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const ana = await someone(duet, 'Ana', { at: wellington })
  for (const name of ['Ben', 'Cleo', 'Dana', 'Emil']) await say(duet, await someone(duet, name), ana, 'Hello')
  const page = await browserOf(browser, duet, ana)
  await page.goto('/home')
  const toaster = page.locator('[data-sonner-toaster]:has(li)')
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    await page.getByRole('button', { name: 'Notifications' }).click()
    const popover = page.getByRole('dialog', { name: 'Notifications' })
    await popover.getByRole('listitem').first().waitFor()
    await popover.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByText('All notifications marked as read').waitFor()
    // A pressed toast doesn't time out.
    await toaster.dispatchEvent('pointerdown')
    await expect.poll(() => page.evaluate(coveredBy), `popover at ${width} by ${height}`).toEqual([])
    await keep(page, `toast-popover-${width}-${height}`)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByRole('dialog', { name: 'Filters' }).waitFor()
    await expect.poll(() => page.evaluate(coveredBy), `sheet at ${width} by ${height}`).toEqual([])
    await keep(page, `toast-sheet-${width}-${height}`)
    await page.keyboard.press('Escape')
    await toaster.dispatchEvent('pointerup')
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  }
  await page.context().close()
})
