import { io } from 'socket.io-client'
import { isQuick } from '../tools/size.ts'
import { expect, test } from './fixtures.ts'
import { browserOf, someone } from './people.ts'

test.use({ serverEnvironment: { DEMO: 'off' } })

test('the list of notifications scrolls above 400 px', async ({ browser, duet }) => {
  const ana = await someone(duet, 'Ana')
  for (let n = 0; n < 8; n++) {
    const other = await someone(duet, `Number ${n}`)
    const socket = io(duet.baseURL, { auth: { token: other.token }, forceNew: true })
    await socket.emitWithAck('send_message', { id: 'hello', message: 'Hello', senderId: other.id, receiverId: ana.id })
    socket.disconnect()
  }
  const page = await browserOf(browser, duet, ana, { viewport: { width: 1440, height: 900 } })
  await page.goto('/home')
  await expect(page.getByRole('button', { name: 'Notifications' })).toHaveText('9')
  await page.getByRole('button', { name: 'Notifications' }).click()
  const list = page.getByRole('dialog', { name: 'Notifications' }).getByRole('list')
  await expect(list.getByRole('listitem')).toHaveCount(9)
  const size = await list.evaluate((element) => {
    const scroller = [element, element.parentElement].find((one) => one && one.scrollHeight > one.clientHeight)
    return (
      scroller && {
        height: scroller.clientHeight,
        content: scroller.scrollHeight,
        overflow: getComputedStyle(scroller).overflowY,
      }
    )
  })
  expect(size?.height).toBe(400)
  expect(size?.content).toBeGreaterThan(400)
  expect(size?.overflow).toBe('auto')
})

test('the messaging panel is there with a stored id and token, and not without', async ({ browser, duet }) => {
  const ana = await someone(duet, 'Ana')
  const page = await browserOf(browser, duet, ana, { viewport: { width: 1440, height: 900 } })
  await page.goto('/home')
  await expect(page.getByRole('region', { name: 'Messages' })).toBeVisible()
  const { token: _token, ...withoutToken } = ana
  const other = await browserOf(browser, duet, withoutToken as typeof ana, { viewport: { width: 1440, height: 900 } })
  await other.goto('/home')
  await other.waitForLoadState('networkidle')
  await expect(other.getByRole('region', { name: 'Messages' })).toHaveCount(0)
})

test('the popover hides whatever the moment in which the window is resized', async ({ browser, duet }) => {
  test.skip(isQuick)
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
