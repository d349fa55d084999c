import type { Page } from '@playwright/test'
import { startDuet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { browserOf, say, someone, wellington } from './people.ts'
import { stored } from './stored.ts'

const allowed = { serviceWorkers: 'allow' } as const

const kept = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready))

test('conversations and the last deck can be read without the server, and no picture URL is stored', {
  tag: '@long',
}, async ({ browser }) => {
  const own = await startDuet({ DEMO: 'off' })
  const near = {
    at: wellington,
    profile: { gender: 'woman', interestedIn: ['woman', 'man', 'nonbinary'] },
    photo: '#557799',
  }
  const [ana, ben] = [await someone(own, 'Ana', near), await someone(own, 'Benedetta', near)]
  await someone(own, 'Camillo', near)
  await say(own, ben, ana, 'The heron was back this morning')
  const page = await browserOf(browser, own, ana, allowed)
  await page.goto('/home')
  await kept(page)
  await expect(page.locator('[data-card=top]')).toBeVisible()
  await page.goto(`/chat/${ben.id}`)
  await expect(page.getByRole('log').getByText('The heron was back this morning')).toBeVisible()
  await page.goto('/home')
  await expect(page.locator('[data-card=top]')).toBeVisible()
  await expect.poll(() => stored(page)).toContain('The heron was back this morning')
  expect(await stored(page)).not.toMatch(/"\/media\//)
  await own.stop()

  await page.goto('/home')
  await expect(page.locator('[data-card=top]')).toBeVisible()
  await page.goto(`/chat/${ben.id}`)
  await expect(page.getByRole('log').getByText('The heron was back this morning')).toBeVisible()
  await page.context().close()
})

test('after sign-out the browser stores nothing about anyone, and after a block nothing about the blocked person', async ({
  browser,
  duet,
}) => {
  const near = { at: wellington, profile: { gender: 'woman', interestedIn: ['woman', 'man', 'nonbinary'] } }
  const [ana, ben, cleo] = [
    await someone(duet, 'Wrenana', near),
    await someone(duet, 'Wrenben', near),
    await someone(duet, 'Wrencleo', near),
  ]
  await say(duet, ben, ana, 'canary of the mine')
  await say(duet, cleo, ana, 'canary of the islands')
  const page = await browserOf(browser, duet, ana, allowed)
  await page.goto(`/chat/${ben.id}`)
  await expect(page.getByRole('log').getByText('canary of the mine')).toBeVisible()
  await page
    .getByRole('textbox', { name: /message/i })
    .first()
    .fill('canary of a draft')
  await expect.poll(() => stored(page)).toContain('canary of the islands')

  const blocking = await fetch(`${duet.baseURL}/api/blocks/${ben.id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ana.token}` },
  })
  expect(blocking.ok).toBe(true)
  await page.goto('/home')
  const kept = async () => {
    const all = await stored(page)
    return { ben: /Wrenben|canary of the mine/.test(all), cleo: all.includes('canary of the islands') }
  }
  await expect.poll(kept).toEqual({ ben: false, cleo: true })

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  const really = page.getByRole('alertdialog').getByRole('button', { name: /sign out/i })
  if (await really.isVisible()) await really.click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => stored(page)).not.toMatch(/canary|wren/i)
  const left = await stored(page)
  for (const one of [ana, ben, cleo]) expect(left).not.toContain(one.id)
  expect(left).not.toContain(ana.token)
  await page.context().close()
})

test('a message that was unsent when the page closed is sent once, by the next page that opens', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const near = { at: wellington, profile: { gender: 'woman', interestedIn: ['woman', 'man', 'nonbinary'] } }
  const [ana, ben] = [await someone(duet, 'Ana', near), await someone(duet, 'Ben', near)]
  await say(duet, ben, ana, 'Are you on the train?')
  await say(duet, ana, ben, 'Soon')
  const page = await browserOf(browser, duet, ana, allowed)
  const context = page.context()
  await page.goto(`/chat/${ben.id}`)
  await kept(page)
  const log = page.getByRole('log')
  await expect(log.getByText('Soon')).toBeVisible()
  // Keep the connection open, but drop everything that is sent.
  await page.evaluate(() => {
    WebSocket.prototype.send = () => undefined
  })
  const box = page.getByRole('textbox', { name: /message/i }).first()
  await box.fill('In the tunnel')
  await box.press('Enter')
  await expect(log.getByText('In the tunnel')).toBeVisible()
  await expect.poll(() => stored(page)).toContain('In the tunnel')
  await page.close()

  const bens = await browserOf(browser, duet, ben)
  await bens.goto(`/chat/${ana.id}`)
  await expect(bens.getByRole('log').getByText('Soon')).toBeVisible()
  await expect(bens.getByRole('log').getByText('In the tunnel')).toHaveCount(0)

  const again = await context.newPage()
  await again.goto('/home')
  await expect(bens.getByRole('log').getByText('In the tunnel')).toHaveCount(1)
  await again.goto(`/chat/${ben.id}`)
  await expect(again.getByRole('log').getByText('In the tunnel')).toHaveCount(1)
  for (const one of [again, bens]) await one.context().close()
})
