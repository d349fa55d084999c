import type { Browser, Locator, Page, Route } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { violationsOf } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { lookAt, resize, widths } from './look.ts'
import { browserOf, type Someone, someone } from './people.ts'

const decisions = '**/api/decisions/**'

interface Scene {
  page: Page
  top: () => Promise<string>
  mina: Someone
  kept: () => Promise<Record<'like' | 'pass' | 'later', string[]>>
  /** `METHOD path` of each request about a decision, and the target's name. */
  sent: () => string[]
  /** Holds back all requests about decisions until `letGo` forwards or fails them. */
  hold: () => Line
}

interface Line {
  waiting: Route[]
  letGo: (end: (route: Route) => Promise<unknown>) => Promise<void>
  rest: () => void
}

/** Sets the routes before the page loads: a request from a running page could get past a new route. */
async function holdable(page: Page): Promise<Scene['hold']> {
  const waiting: Route[] = []
  let isHeld = false
  await page.route(decisions, (route) => (isHeld ? void waiting.push(route) : route.continue()))
  const letGo: Line['letGo'] = async (end) => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    await end(waiting.shift() as Route)
  }
  const rest = () => {
    isHeld = false
  }
  return () => {
    isHeld = true
    return { waiting, letGo, rest }
  }
}

/** Opens Mina's deck, which has four people, in a town of their own. */
async function sceneAt(browser: Browser, duet: Duet, longitude: number): Promise<Scene> {
  const at = { latitude: -20, longitude }
  const profile = { gender: 'man', interestedIn: ['woman', 'man', 'nonbinary'], intents: ['dating'] }
  for (const name of ['Ana', 'Ben', 'Cem', 'Dan']) await someone(duet, name, { at, profile, photo: '#7a8f52' })
  const mina = await someone(duet, 'Mina', { at, profile, photo: '#3b6ea5' })
  const page = await browserOf(browser, duet, mina)
  const seen: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' || !pathname.startsWith('/api/decisions')) return
    seen.push(`${request.method()} ${pathname.split('/').at(-1)} ${request.postData() ?? ''}`)
  })
  const hold = await holdable(page)
  await page.goto('/home')
  const card = page.locator('[data-card=top]')
  await expect(card).toBeVisible()
  const kept = async () => {
    const list = async (decision: string) => {
      const headers = { authorization: `Bearer ${mina.token}` }
      const answer = await fetch(`${duet.baseURL}/api/decisions?decision=${decision}`, { headers })
      const { decisions } = (await answer.json()) as { decisions: { user: { name: string } }[] }
      return decisions.map(({ user }) => user.name)
    }
    return { like: await list('like'), pass: await list('pass'), later: await list('later') }
  }
  const top = async () => ((await card.getAttribute('aria-label')) ?? '').replace(/,.*/, '')
  return { page, top, mina, kept, sent: () => seen, hold }
}

const button = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Deck' }).getByRole('button', { name, exact: true })
const told = (page: Page, words: RegExp) => expect(page.getByText(words).first()).toBeVisible()

async function passFirst({ page, top, kept }: Scene): Promise<string> {
  const name = await top()
  await button(page, 'Pass').click()
  await expect.poll(async () => (await kept()).pass).toEqual([name])
  await expect.poll(top).not.toBe(name)
  return name
}

const refusal = (status: number, code: string) => (route: Route) =>
  route.fulfill({
    status,
    contentType: 'application/problem+json',
    body: JSON.stringify({ type: 'about:blank', title: code, status, detail: code, code, requestId: 'e2e' }),
  })

test('undoing a like that the server refuses retracts no earlier decision', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const scene = await sceneAt(browser, duet, 10)
  const { page, top, kept, sent } = scene
  const first = await passFirst(scene)
  const second = await top()

  const line = scene.hold()
  await button(page, 'Like').click()
  await expect.poll(top).not.toBe(second)
  await button(page, 'Undo').click()
  await expect.poll(top).toBe(second)
  await line.letGo(refusal(429, 'rate_limited'))
  await told(page, /That was very fast/)
  line.rest()

  expect(await kept()).toEqual({ like: [], pass: [first], later: [] })
  expect(sent().filter((request) => request.startsWith('POST undo'))).toEqual([])
  expect(await top()).toBe(second)
  await button(page, 'Undo').click()
  await expect.poll(top).toBe(first)
  await expect.poll(kept).toEqual({ like: [], pass: [], later: [] })
  await page.context().close()
})

test('undoing a like that never reached the server, or whose answer was lost, has the same result', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const scene = await sceneAt(browser, duet, 14)
  const { page, top, kept } = scene
  const first = await passFirst(scene)
  const second = await top()
  const ends: ((route: Route) => Promise<unknown>)[] = [
    (route) => route.abort('connectionreset'),
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
  ]
  for (const end of ends) {
    const line = scene.hold()
    await button(page, 'Like').click()
    await button(page, 'Undo').click()
    await line.letGo(end)
    await line.letGo((route) => route.continue())
    line.rest()
    await told(page, /We didn’t get an answer/)
    await expect.poll(kept).toEqual({ like: [], pass: [first], later: [] })
    await expect.poll(top).toBe(second)
    await expect(page.getByText(/We didn’t get an answer/)).toHaveCount(0)
  }
  await page.context().close()
})

test('undoing a decision that is still being sent waits for it and then undoes it', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const scene = await sceneAt(browser, duet, 18)
  const { page, top, kept, sent } = scene
  const first = await passFirst(scene)
  const second = await top()
  const line = scene.hold()
  await button(page, 'Later').click()
  await button(page, 'Undo').click()
  await expect.poll(top).toBe(second)
  expect(line.waiting).toHaveLength(1)
  await line.letGo((route) => route.continue())
  await line.letGo((route) => route.continue())
  line.rest()
  await expect(page.getByRole('status').filter({ hasText: `${second} is back.` })).toBeAttached()
  expect(await kept()).toEqual({ like: [], pass: [first], later: [] })
  expect(sent().at(-1)).toMatch(/^POST undo \{"userId":"[0-9a-f-]{36}"\}$/)
  await page.context().close()
})

test('an undo whose answer was lost can be repeated and affects nobody else', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const scene = await sceneAt(browser, duet, 22)
  const { page, top, kept } = scene
  const first = await passFirst(scene)
  const second = await top()
  await button(page, 'Later').click()
  await expect.poll(async () => (await kept()).later).toEqual([second])
  const line = scene.hold()
  await page.route('**/api/deck?*', (route) => route.abort('connectionreset'))
  await button(page, 'Undo').click()
  await line.letGo(async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await told(page, /We didn’t get an answer/)
  expect(await top()).not.toBe(second)
  await page.unroute('**/api/deck?*')
  await button(page, 'Undo').click()
  await line.letGo((route) => route.continue())
  line.rest()
  await told(page, /no longer your latest choice/)
  expect(await kept()).toEqual({ like: [], pass: [first], later: [] })
  await page.context().close()
})

test('an undo after a decision on another device reports it, and the next undo applies to that decision', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const scene = await sceneAt(browser, duet, 26)
  const { page, top, kept, mina } = scene
  const first = await passFirst(scene)
  const elsewhere = await browserOf(browser, duet, mina)
  await elsewhere.goto('/home')
  const second = await top()
  await elsewhere.locator('[data-card=top]').waitFor()
  await button(elsewhere, 'Like').click()
  await expect.poll(async () => (await kept()).like).toEqual([second])
  await elsewhere.context().close()

  await button(page, 'Undo').click()
  await told(page, /no longer your latest choice/)
  expect(await kept()).toEqual({ like: [second], pass: [first], later: [] })
  await expect.poll(top).not.toBe(second)
  await button(page, 'Undo').click()
  await expect.poll(top).toBe(second)
  expect(await kept()).toEqual({ like: [], pass: [first], later: [] })
  await page.context().close()
})

test('after a reload, undo applies to the last decision made before it', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const scene = await sceneAt(browser, duet, 30)
  const { page, top, kept, sent } = scene
  const first = await passFirst(scene)
  await page.reload()
  await expect(page.locator('[data-card=top]')).toBeVisible()
  await button(page, 'Undo').click()
  await expect.poll(top).toBe(first)
  await expect.poll(kept).toEqual({ like: [], pass: [], later: [] })
  expect(sent().at(-1)).toContain('userId')
  await page.context().close()
})

const pressAll = (page: Page, keys: string[]) =>
  page.evaluate((pressed) => {
    for (const key of pressed) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  }, keys)

test('two simultaneous inputs make one decision about the visible person and none about the next', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const scene = await sceneAt(browser, duet, 34)
  const { page, top, kept, sent } = scene
  const first = await top()
  await pressAll(page, ['ArrowRight', 'ArrowLeft'])
  await expect.poll(kept).toEqual({ like: [first], pass: [], later: [] })
  await expect.poll(top).not.toBe(first)
  const second = await top()

  await button(page, 'Pass').evaluate((pass: HTMLElement) => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true }))
    pass.click()
    pass.click()
  })
  await expect.poll(kept).toEqual({ like: [first], pass: [], later: [second] })
  await expect.poll(top).not.toBe(second)
  const third = await top()

  await pressAll(page, ['ArrowLeft', 'z'])
  await expect.poll(() => sent().length).toBe(4)
  await expect.poll(kept).toEqual({ like: [first], pass: [], later: [second] })
  await expect.poll(top).toBe(third)
  await page.context().close()
})

test('a decision made offline loses nothing, the page says so, and it works once reconnected', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const scene = await sceneAt(browser, duet, 38)
  const { page, top, kept, sent } = scene
  const { look, forgive } = lookAt(page, { thrifty: true })
  const first = await passFirst(scene)
  const second = await top()
  await page.context().setOffline(true)
  await button(page, 'Like').click()
  await told(page, /You’re offline, so nothing was sent./)
  expect(await top()).toBe(second)
  await button(page, 'Undo').click()
  expect(await top()).toBe(second)
  await page.context().setOffline(false)

  // The comment stays if the connection is lost while a person writes it.
  await button(page, 'Like this photo').click()
  const dialog = page.getByRole('dialog', { name: `Like ${second}’s photo` })
  await dialog.getByLabel('Add a comment').fill('Where is that?')
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Like' }).click()
  await expect(dialog.getByLabel('Add a comment')).toHaveValue('Where is that?')
  expect(sent()).toHaveLength(1)
  expect(await kept()).toEqual({ like: [], pass: [first], later: [] })
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Like' }).click()
  await expect.poll(kept).toEqual({ like: [second], pass: [first], later: [] })
  await expect.poll(top).not.toBe(second)

  // The device believes that it is online, but no request gets through.
  const third = await top()
  const all = '**/api/**'
  await page.route(all, (route) => route.abort('connectionfailed'))
  await button(page, 'Pass').click()
  await told(page, /We didn’t get an answer. Check your connection and try again. .+ is back in your deck./)
  await expect.poll(top).toBe(third)
  expect(await violationsOf(page)).toEqual([])
  for (const width of widths) {
    await resize(page, width)
    await button(page, 'Pass').click()
    await told(page, /We didn’t get an answer/)
    await expect(page.getByText('New people couldn’t be loaded.')).toBeVisible()
    forgive()
    await look('deck-no-answer')
    await expect(page.getByText(/We didn’t get an answer/)).toHaveCount(0)
  }
  await page.unroute(all)
  await button(page, 'Pass').click()
  await expect.poll(async () => (await kept()).pass.toSorted()).toEqual([first, third].toSorted())
  await page.context().close()
})

test('a decision in the list of likes that fails brings the card back', { tag: '@long' }, async ({ browser, duet }) => {
  const scene = await sceneAt(browser, duet, 42)
  const { page, kept } = scene
  const first = await passFirst(scene)
  await page.goto('/likes')
  await page.getByRole('link', { name: 'Passes' }).click()
  const like = page.getByRole('button', { name: `Like, ${first}` })
  await expect(like).toBeVisible()
  await page.context().setOffline(true)
  await like.click()
  await told(page, /We didn’t get an answer/)
  await expect(like).toBeVisible()
  expect(await kept()).toEqual({ like: [], pass: [first], later: [] })
  await page.context().setOffline(false)
  await like.click()
  await expect.poll(kept).toEqual({ like: [first], pass: [], later: [] })
  await page.context().close()
})
