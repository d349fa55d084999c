import type { Page } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { keep, lookAt, resize } from './look.ts'
import { browserOf, type Someone, say, someone, wellington } from './people.ts'

async function like(duet: Duet, from: Someone, to: Someone, more: object = {}): Promise<void> {
  const headers = { authorization: `Bearer ${from.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ decision: 'like', ...more })
  const { status } = await fetch(`${duet.baseURL}/api/decisions/${to.id}`, { method: 'PUT', headers, body })
  expect(status).toBe(200)
}

const open = { gender: 'woman', interestedIn: [], interests: ['long_walks', 'ceramics'] }
const bens = {
  ...{ gender: 'man', interestedIn: [], interests: ['long_walks', 'night_trains'], heightCm: 184 },
  bio: 'Slow mornings, fast bicycles.',
  prompts: [{ prompt: 'proud_of', answer: 'I learned to bake my grandmother’s bread from a photo of her hands.' }],
}

/** Ana and Ben matched after she liked one of his answers with a comment. Kofi has written to her too. */
async function cast(duet: Duet) {
  const ana = await someone(duet, 'Ana', { at: wellington, profile: open, photo: '#a5583b' })
  const ben = await someone(duet, 'Ben', { at: wellington, profile: bens, photo: '#3b6ea5' })
  const kofi = await someone(duet, 'Kofi', { at: wellington, profile: { ...bens, prompts: [] }, photo: '#3ba577' })
  await like(duet, ana, ben, { item: { kind: 'prompt', prompt: 'proud_of' }, comment: 'Sourdough, or the quick kind?' })
  await like(duet, ben, ana)
  await say(duet, ben, ana, 'Sourdough. The quick kind never forgave me.', 'Do you bake?')
  await say(duet, kofi, ana, 'Hello from the night train')
  await say(duet, ana, kofi, 'Where is it going?')
  return { ana, ben, kofi }
}

const list = (page: Page) => page.getByRole('list', { name: 'Conversations' })
const log = (page: Page, name: string) => page.getByRole('log', { name: `Conversation with ${name}` })
const aside = (page: Page, name: string) => page.getByRole('complementary', { name: `${name}’s profile` })
const deck = (page: Page) => page.getByRole('region', { name: 'Deck' })
const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })

test('on wide windows, Chats shows the list, the thread with the liked item, and the profile', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const { ana, ben } = await cast(duet)
  const page = await browserOf(browser, duet, ana, { viewport: { width: 1440, height: 900 } })
  await page.goto('/chat')
  await expect(page).toHaveTitle('(3) Chats · Duet')
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', '/icon-unread.svg')
  await expect(page.getByText('Choose a chat to read it here.')).toBeVisible()
  await expect(deck(page)).toHaveCount(0)
  await list(page).getByRole('button', { name: /^Ben/ }).click()
  await expect(page).toHaveURL(`/chat/${ben.id}`)
  await expect(log(page, 'Ben').getByText('You liked Ben’s answer')).toBeVisible()
  await expect(log(page, 'Ben').getByText(/grandmother’s bread/)).toBeVisible()
  await expect(aside(page, 'Ben').getByText('Slow mornings, fast bicycles.')).toBeVisible()
  await expect(page).toHaveTitle('(1) Chats · Duet')
  await expect(page.getByRole('region', { name: 'Messages' })).toHaveCount(1)
  await box(page).fill('Only on Sundays')
  await list(page).getByRole('button', { name: /^Kofi/ }).click()
  await expect(list(page).getByRole('button', { name: /^Ben.*Draft: Only on Sundays/ })).toBeVisible()
  const width = await log(page, 'Kofi').evaluate((element) => element.querySelector('ol')?.clientWidth ?? 0)
  expect(width).toBeGreaterThan(560)
  expect(width).toBeLessThanOrEqual(720)

  await resize(page, 1280)
  await expect(aside(page, 'Kofi')).toHaveCount(0)
  await expect(list(page)).toBeVisible()
  await page.getByRole('link', { name: 'Discover' }).click()
  await expect(deck(page)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Messages' })).toBeVisible()
  await expect(page).toHaveTitle('Discover · Duet')
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', '/icon.svg')
  await page.context().close()
})

test('Chats looks right in every width, in both themes and from right to left', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { ana, ben, kofi } = await cast(duet)
  const page = await browserOf(browser, duet, ana, { viewport: { width: 1440, height: 900 } })
  const { lookWide } = lookAt(page, { thrifty: true })
  await lookWide('place-empty', undefined, async () => {
    await page.goto('/chat')
    await list(page).getByText('Ben').waitFor()
  })
  await lookWide('place', undefined, async () => {
    await page.goto(`/chat/${ben.id}`)
    await log(page, 'Ben').getByText('Do you bake?').waitFor()
    if ((page.viewportSize()?.width ?? 0) >= 1440) await aside(page, 'Ben').locator('img').first().waitFor()
  })
  const dialog = '[role=dialog]'
  await lookWide('emoji', dialog, async () => {
    await page.goto(`/chat/${ben.id}`)
    await page.getByRole('button', { name: 'Emoji' }).click()
    await page.getByRole('list', { name: 'Smileys' }).getByRole('button').first().waitFor()
  })
  await page.keyboard.press('Escape')
  const arabic = await browserOf(browser, duet, ana, { locale: 'ar', viewport: { width: 390, height: 844 } })
  for (const width of [390, 1440]) {
    await resize(arabic, width)
    await arabic.goto(`/chat/${ben.id}`)
    await arabic.getByText('Do you bake?').first().waitFor()
    await keep(arabic, `place-ar-${width}`)
    await arabic.goto(`/chat/${kofi.id}`)
  }
  for (const one of [page, arabic]) await one.context().close()
})

test('an emoji is inserted at the caret, and can be put on a message', { tag: '@long' }, async ({ browser, duet }) => {
  const { ana, ben } = await cast(duet)
  const page = await browserOf(browser, duet, ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/chat/${ben.id}`)
  await box(page).fill('Bread ')
  await page.getByRole('button', { name: 'Emoji' }).click()
  await page.getByRole('searchbox', { name: 'Search emoji' }).fill('bread')
  await page.getByRole('button', { name: 'bread', exact: true }).click()
  await expect(box(page)).toHaveValue('Bread 🍞')
  await expect(box(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(log(page, 'Ben').getByText('Bread 🍞')).toBeVisible()

  const asked = log(page, 'Ben').getByText('Do you bake?')
  await asked.dblclick()
  await expect(page.getByRole('button', { name: 'Your reaction ❤️. Remove it' })).toBeVisible()
  await asked.click({ button: 'right' })
  const menu = page.getByRole('menu', { name: 'Actions for this message' })
  const [bubble, opened] = [await asked.boundingBox(), await menu.boundingBox()]
  const isApart = opened && bubble && (opened.y >= bubble.y + bubble.height || opened.y + opened.height <= bubble.y)
  expect(isApart).toBe(true)
  await page.getByRole('menuitem', { name: 'Another emoji' }).click()
  await page.getByRole('searchbox', { name: 'Search emoji' }).fill('party')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Your reaction (?!❤️)/ })).toBeVisible()
  await page.context().close()
})
