import type { BrowserContextOptions, Page, Route } from '@playwright/test'
import { violationsOf } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { finger, type Hand, keyboard, mouse } from './hands.ts'
import { lookAt } from './look.ts'
import { browserOf, someone } from './people.ts'

async function isClean(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
}

interface Way {
  hand: Hand
  at: { latitude: number; longitude: number }
  options: BrowserContextOptions
}

// Each test has its own town, so that it doesn't see the people of the others.
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
  test(`with ${name}, someone likes an answer with a comment, matches and sends the first message`, {
    tag: name === 'a finger' ? [] : '@long',
  }, async ({ browser, duet }) => {
    const prompts = [{ prompt: 'proud_of', answer: 'I built my own table.' }]
    const ben = await someone(duet, 'Ben', { at, profile: { prompts, gender: 'man' }, photo: '#3b6ea5' })
    const api = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json' }
      const answer = await fetch(duet.baseURL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`)
      return answer.json()
    }
    const mina = await someone(duet, 'Mina', { at, photo: '#a05030', profile: { gender: 'nonbinary' } })
    const page = await browserOf(browser, duet, mina, options)
    const { look } = lookAt(page, { thrifty: true })
    await api('PUT', `/api/decisions/${mina.id}`, { decision: 'like' })
    await page.goto('/home')

    const deck = page.getByRole('region', { name: 'Deck' })
    await expect(deck.getByRole('article', { name: /^Ben/ })).toBeVisible()
    await look('deck')
    await hand.press(deck.getByRole('button', { name: 'Like this answer' }).first())
    const item = page.getByRole('dialog', { name: 'Like Ben’s answer' })
    await expect(item).toContainText('I built my own table.')
    await hand.write(item.getByLabel('Add a comment'), 'What wood?')
    await look('like-dialog', '[role=dialog]')
    await hand.press(item.getByRole('button', { name: 'Like' }))

    const match = page.getByRole('dialog', { name: 'It’s a match: you and Ben' })
    await expect(match).toBeVisible()
    await expect(match.getByRole('figure')).toContainText('I built my own table.What wood?')
    await look('match-dialog', '[role=dialog]')
    await hand.write(match.getByLabel('Reply to Ben'), 'Tell me everything.')
    await hand.press(match.getByRole('button', { name: 'Send' }))
    const log = page.getByRole('log', { name: 'Conversation with Ben' })
    await expect(log.getByText('What wood?')).toBeVisible()
    await expect(log.getByText('Tell me everything.')).toBeVisible()
    await look('first-message')
    const kept = async () => {
      const page = await api('GET', `/api/conversations/${mina.id}/messages`)
      return (page as { messages: { message: string }[] }).messages.map(({ message }) => message)
    }
    await expect.poll(kept).toEqual(['What wood?', 'Tell me everything.'])
    await page.context().close()
  })
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const

test('swiping up scrolls the page without deciding, and saving for later shows a message with Undo', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const at = { latitude: -38.14, longitude: 176.25 }
  const profile = { gender: 'man', bio: 'I know every bench with a view in this town. '.repeat(4) }
  for (const name of ['Ana', 'Ben']) await someone(duet, name, { at, photo: '#7a8f52', profile })
  const mina = await someone(duet, 'Mina', { at, photo: '#3b6ea5' })
  const page = await browserOf(browser, duet, mina, phone)
  await page.goto('/home')
  const top = page.locator('[data-card=top]')
  await expect(top).toBeVisible()
  const name = () => top.getAttribute('aria-label')
  const first = (await name()) ?? ''

  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: 195, y }] })
  await touch('touchStart', 420)
  for (let y = 405; y >= 120; y -= 15) await touch('touchMove', y)
  await touch('touchEnd', 120)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
  // A tap while the page still scrolls would only stop the scrolling.
  let last = -1
  await expect
    .poll(async () => {
      const [before, now] = [last, await page.evaluate(() => scrollY)]
      last = now
      return now === before
    })
    .toBe(true)
  expect(await name()).toBe(first)
  const decided = async () => {
    const headers = { authorization: `Bearer ${mina.token}` }
    const lists = ['like', 'pass', 'later'].map(async (decision) => {
      const answer = await fetch(`${duet.baseURL}/api/decisions?decision=${decision}`, { headers })
      return ((await answer.json()) as { decisions: object[] }).decisions.length
    })
    return Promise.all(lists)
  }
  expect(await decided()).toEqual([0, 0, 0])

  await page.getByRole('button', { name: 'Later', exact: true }).tap()
  const toast = page.locator('[data-sonner-toast]', { hasText: first.replace(/,.*/, '') })
  await toast.waitFor()
  // A pressed toast doesn't time out.
  const toaster = page.locator('[data-sonner-toaster]:has(li)')
  await toaster.dispatchEvent('pointerdown')
  await expect.poll(name).not.toBe(first)
  await expect.poll(decided).toEqual([0, 0, 1])
  await toast.getByRole('button', { name: 'Undo' }).tap()
  await expect.poll(name).toBe(first)
  await expect.poll(decided).toEqual([0, 0, 0])
  await page.context().close()
})

test('a person who likes me is marked, the match with their comment shows before the server answers, and Escape closes it', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const at = { latitude: -46.41, longitude: 168.35 }
  const prompts = [{ prompt: 'proud_of', answer: 'I built my own table.' }]
  const mina = await someone(duet, 'Mina', { at, photo: '#3b6ea5', profile: { prompts } })
  const ben = await someone(duet, 'Ben', { at, photo: '#7a8f52', profile: { gender: 'man' } })
  const liked = await fetch(`${duet.baseURL}/api/decisions/${mina.id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      decision: 'like',
      item: { kind: 'prompt', prompt: 'proud_of' },
      comment: 'How long did it take?',
    }),
  })
  expect(liked.ok).toBe(true)
  const page = await browserOf(browser, duet, mina, { viewport: { width: 1440, height: 900 } })
  // Set the route before the page loads: a request from a running page could get past a new route.
  const waiting: Route[] = []
  await page.route('**/api/decisions/*', (route) => void waiting.push(route))
  await page.goto('/home')
  const card = page.getByRole('article', { name: /^Ben/ })
  await expect(card).toContainText('Likes you')
  await isClean(page)

  await page.keyboard.press('ArrowRight')
  const match = page.getByRole('dialog', { name: 'It’s a match: you and Ben' })
  await expect(match.getByRole('figure')).toContainText('I built my own table.How long did it take?')
  await expect(match.getByRole('button', { name: 'Send' })).toBeDisabled()
  await expect.poll(() => waiting.length).toBe(1)
  await waiting[0]?.continue()
  await match.getByLabel('Reply to Ben').fill('A summer.')
  await expect(match.getByRole('button', { name: 'Send' })).toBeEnabled()
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    expect(await match.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await match.getByRole('button', { name: 'Discard' }).click()
  await expect(match).toBeHidden()
  await page.context().close()
})

test('the card follows the finger, keys decide, Undo brings cards back, and an empty deck offers those passed on', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const at = { latitude: -39.06, longitude: 174.08 }
  for (const name of ['Ana', 'Ben', 'Cem', 'Dan'])
    await someone(duet, name, { at, photo: '#7a8f52', profile: { gender: 'man' } })
  const page = await browserOf(browser, duet, await someone(duet, 'Mina', { at, photo: '#3b6ea5' }), phone)
  await page.goto('/home')
  const top = page.locator('[data-card=top]')
  const name = () => top.getAttribute('aria-label')
  await expect(top).toBeVisible()
  const first = await name()

  const box = (await top.boundingBox()) as { x: number; y: number; width: number; height: number }
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3]
  const session = await page.context().newCDPSession(page)
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
  await page.context().close()
})
