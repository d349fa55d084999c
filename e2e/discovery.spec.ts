import type { BrowserContextOptions, Page } from '@playwright/test'
import { violationsOf } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { finger, type Hand, keyboard, mouse } from './hands.ts'
import { someone } from './people.ts'
import { signUp } from './sign-up.ts'

test.use({ serverEnvironment: { DEMO: 'off' } })

async function isClean(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
}

interface Way {
  hand: Hand
  at: { latitude: number; longitude: number }
  options: BrowserContextOptions
}

// Each meets people in a town of its own.
const ways: Record<string, Way> = {
  'a mouse': {
    hand: mouse,
    at: { latitude: -36.85, longitude: 174.76 },
    options: { viewport: { width: 1440, height: 900 } },
  },
  'a finger': {
    hand: finger,
    at: { latitude: -43.53, longitude: 172.64 },
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  },
  'the keyboard alone': {
    hand: keyboard,
    at: { latitude: -45.87, longitude: 170.5 },
    options: { viewport: { width: 1440, height: 900 } },
  },
}

for (const [name, { hand, at, options }] of Object.entries(ways)) {
  test(`with ${name}: sign up, like an answer with a comment, match, write first`, async ({ browser, duet }) => {
    test.setTimeout(150_000)
    const prompts = [{ prompt: 'proud_of', answer: 'I built my own table.' }]
    const ben = await someone(duet, 'Ben', { at, profile: { prompts, gender: 'man' }, photo: '#3b6ea5' })
    const api = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json' }
      const answer = await fetch(duet.baseURL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`)
      return answer.json()
    }
    const context = await browser.newContext({
      ...{ baseURL: duet.baseURL, locale: 'en-GB', reducedMotion: 'reduce' },
      ...{ geolocation: at, permissions: ['geolocation'] },
      ...options,
    })
    const page = await context.newPage()
    await signUp(page, duet, 'Mina', hand)
    const minaId = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').id as string)
    await api('PUT', `/api/decisions/${minaId}`, { decision: 'like' })

    const deck = page.getByRole('region', { name: 'Deck' })
    await expect(deck.getByRole('article', { name: /^Ben/ })).toBeVisible()
    await isClean(page)
    await hand.press(deck.getByRole('button', { name: 'Like this answer' }).first())
    const item = page.getByRole('dialog', { name: 'Like this answer of Ben' })
    await expect(item).toContainText('I built my own table.')
    await hand.write(item.getByLabel('Add a comment'), 'What wood?')
    await isClean(page)
    await hand.press(item.getByRole('button', { name: 'Like' }))

    const match = page.getByRole('dialog', { name: 'You and Ben like each other' })
    await expect(match).toBeVisible()
    await isClean(page)
    await hand.write(match.getByLabel('First message to Ben'), 'Tell me everything.')
    await hand.press(match.getByRole('button', { name: 'Send' }))
    const log = page.getByRole('log', { name: 'Conversation with Ben' })
    await expect(log.getByText('What wood?')).toBeVisible()
    await expect(log.getByText('Tell me everything.')).toBeVisible()
    // It stands there as soon as it is sent.
    const kept = async () => {
      const page = await api('GET', `/api/conversations/${minaId}/messages`)
      return (page as { messages: { message: string }[] }).messages.map(({ message }) => message)
    }
    await expect.poll(kept).toEqual(['What wood?', 'Tell me everything.'])
    await context.close()
  })
}

test('the card follows the finger, keys decide, undo brings back, and an empty deck offers what was passed', async ({
  browser,
  duet,
}) => {
  test.setTimeout(120_000)
  const at = { latitude: -39.06, longitude: 174.08 }
  for (const name of ['Ana', 'Ben', 'Cem', 'Dan'])
    await someone(duet, name, { at, photo: '#7a8f52', profile: { gender: 'man' } })
  const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const
  const context = await browser.newContext({
    ...{ baseURL: duet.baseURL, locale: 'en-GB', geolocation: at, permissions: ['geolocation'] },
    ...options,
  })
  const page = await context.newPage()
  await signUp(page, duet, 'Mina')
  const top = page.locator('[data-card=top]')
  const name = () => top.getAttribute('aria-label')
  await expect(top).toBeVisible()
  const first = await name()

  const box = (await top.boundingBox()) as { x: number; y: number; width: number; height: number }
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3]
  const session = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dx: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: x + dx, y }] })
  await touch('touchStart', 0)
  for (let dx = -10; dx >= -220; dx -= 15) await touch('touchMove', dx)
  await touch('touchEnd', -220)
  await expect.poll(name).not.toBe(first)
  await expect(page.getByRole('status').filter({ hasText: 'You passed on' })).toBeAttached()

  await page.keyboard.press('u')
  await expect.poll(name).toBe(first)
  await page.keyboard.press('ArrowUp')
  await expect.poll(name).not.toBe(first)
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(name).toBe(first)

  for (let left = 4; left > 0; left--) {
    const before = await name()
    await page.getByRole('button', { name: 'Pass', exact: true }).click()
    if (left > 1) await expect.poll(name).not.toBe(before)
  }
  await expect(top).toHaveCount(0)
  await expect(page.getByRole('link', { name: /pass/i }).first()).toBeVisible()
  await isClean(page)
  await context.close()
})
