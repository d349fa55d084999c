import type { Browser, Page } from '@playwright/test'
import { io } from 'socket.io-client'
import type { Duet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { browserOf, type Someone, someone } from './people.ts'

async function sayHello(duet: Duet, from: Someone, to: Someone): Promise<void> {
  const socket = io(duet.baseURL, { auth: { token: from.token }, forceNew: true })
  const message = { id: crypto.randomUUID(), message: 'Hello', senderId: from.id, receiverId: to.id }
  expect(await socket.emitWithAck('send_message', message)).toMatchObject({ ok: true })
  socket.disconnect()
}

async function onPhone({ browser, duet }: { browser: Browser; duet: Duet }) {
  const [ana, ben] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
  await sayHello(duet, ana, ben)
  await sayHello(duet, ben, ana)
  const page = await browserOf(browser, duet, ana, { viewport: { width: 390, height: 844 } })
  return { page, ben }
}

/** The addresses of all windows, read from the browser: Playwright misses some that open in the background. */
async function windowsOf(browser: Browser, page: Page): Promise<string[]> {
  const [own, all] = [await page.context().newCDPSession(page), await browser.newBrowserCDPSession()]
  const { targetInfo } = await own.send('Target.getTargetInfo')
  const { targetInfos } = await all.send('Target.getTargets')
  await Promise.all([own.detach(), all.detach()])
  const isTheirs = ({ type, browserContextId }: typeof targetInfo) =>
    type === 'page' && browserContextId === targetInfo.browserContextId
  return targetInfos.filter(isTheirs).map(({ url }) => url)
}

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const screen = (page: Page) => page.locator('main > div').first().locator('> *').first()

test('Back on a phone goes from the thread to the list and to the same Home', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { page, ben } = await onPhone({ browser, duet })
  await page.goto('/')
  await expect(page).toHaveURL('/home')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await screen(page).evaluate((home) => home.setAttribute('data-same', ''))
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Chats' }).click()
  await page.getByRole('button', { name: /Ben/ }).first().click()
  await expect(page).toHaveURL(`/chat/${ben.id}`)
  await expect(box(page)).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/chat')
  await expect(box(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Ben/ }).first()).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/home')
  await expect(screen(page)).toBeVisible()
  await expect(screen(page)).toHaveAttribute('data-same')
})

test('a link with a modifier key opens a new window, and a link to the current page adds no history entry', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const { page } = await onPhone({ browser, duet })
  await page.goto('/home')
  const link = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Likes' })
  const [home, likes] = [`${duet.baseURL}/home`, `${duet.baseURL}/likes`]
  await link.click({ modifiers: ['ControlOrMeta'] })
  await expect.poll(async () => (await windowsOf(browser, page)).sort()).toEqual([home, likes])
  await expect(page).toHaveURL('/home')
  await link.click()
  await expect(page).toHaveURL('/likes')
  await link.click()
  await page.goBack()
  await expect(page).toHaveURL('/home')
})

test('the offline note takes its space from the screen, not from the message box', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { page, ben } = await onPhone({ browser, duet })
  await page.goto(`/chat/${ben.id}`)
  await expect(page.getByRole('log').getByText('Hello')).toHaveCount(2)
  const bottom = async () => {
    const composer = await box(page).boundingBox()
    const content = await page.evaluate(() => document.documentElement.scrollHeight)
    return [(composer?.y ?? 0) + (composer?.height ?? 0), content]
  }
  const before = await bottom()
  await page.context().setOffline(true)
  const note = page.getByText('You’re offline. What you see may be out of date.')
  await expect(note).toBeVisible()
  expect(await bottom()).toEqual(before)
  expect(before[0]).toBeLessThan(844)
  expect(before[1]).toBe(844)
  const [high, low] = [await page.getByRole('navigation', { name: 'Main' }).boundingBox(), await note.boundingBox()]
  expect(low?.y).toBe((high?.y ?? 0) + (high?.height ?? 0))
  await page.context().setOffline(false)
  await expect(note).toHaveCount(0)
})
