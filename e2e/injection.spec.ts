import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Duet, serverFile } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { injections, pack, visible } from './injections.ts'
import { ask, type Intruder, intrude } from './intruders.ts'
import { browserOf, picture, type Someone, someone, wellington } from './people.ts'
import { intrusionsIn, type Watch, watch } from './watch.ts'

// Text that people write stays text for its readers: it never runs, loads anything, or becomes markup.

test.use({ serverEnvironment: { DEMO: 'off', SUPER_ADMIN_EMAIL: 'boss@example.com' } })

const intruders = 6
/** Tall enough for virtualized lists to render all of their rows. */
const viewport = { width: 1440, height: 6000 }

let victim: Someone
let boss: Someone
let other: Someone
let all: Intruder[]
test.beforeAll(async ({ duet }) => {
  victim = await someone(duet, 'Vera', { at: wellington, profile: { gender: 'woman' }, photo: '#804020' })
  boss = await someone(duet, 'Boss', { email: 'boss@example.com' })
  const email = 'other@example.com'
  await someone(duet, 'Other', { email })
  grant(duet, email)
  other = await signIn(duet, email)
  const stage = { duet, victim, boss, picture: await picture('#3b6ea5') }
  all = await Promise.all(Array.from({ length: intruders }, (_, n) => intrude(stage, n, intruders)))
})

/** Creates a second administrator, because the administrator who made a decision can't answer its appeal. */
function grant({ dataDir }: Duet, email: string): void {
  const env = { ...process.env, DATA_DIR: dataDir }
  const { status, stderr } = spawnSync(process.execPath, [join(dirname(serverFile), 'cli/admin.js'), 'grant', email], {
    env,
  })
  if (status !== 0) throw new Error(String(stderr))
}

async function signIn(duet: Duet, email: string): Promise<Someone> {
  const response = await fetch(`${duet.baseURL}/api/user/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a long password' }),
  })
  return (await response.json()) as Someone
}

/** Removes unpaired surrogates, which a URL can't contain. */
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, ''))

const wordsOf = async (page: Page) => visible((await page.locator('body').textContent()) ?? '')

/** Waits until a page shows all `texts`, then checks that none of them became markup or ran. */
async function reads(page: Page, texts: readonly string[]): Promise<void> {
  const wanted = texts
    .flatMap((text) => text.split('\n'))
    .map(visible)
    .filter(Boolean)
  await expect
    .poll(async () => {
      const words = await wordsOf(page)
      return wanted.filter((text) => !words.includes(text))
    })
    .toEqual([])
  expect(await intrusionsIn(page)).toEqual([])
}

async function watched(page: Page, duet: Duet): Promise<Watch> {
  return watch(page.context(), duet.baseURL)
}

test('the watch of this test notices code that runs', { tag: '@long' }, async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, victim)
  const { seen } = await watched(page, duet)
  await page.goto('/home')
  await page.evaluate(() => {
    // The page's Trusted Types policy throws when a string would become code.
    const refused = (put: () => void) => {
      try {
        put()
        throw new Error('was not refused')
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
      }
    }
    const image = document.createElement('img')
    refused(() => image.setAttribute('onerror', 'window.__pwn=1'))
    refused(() => {
      document.body.innerHTML = '<b>x</b>'
    })
    image.src = 'https://evil.example/x.png'
    document.body.append(image, document.createElement('object'))
    setTimeout(() => alert('x'))
  })
  await expect.poll(() => seen.join()).toContain('require-trusted-types-for')
  await expect.poll(() => seen.join()).toContain('img-src https://evil.example')
  await expect.poll(() => seen.join()).toContain('a dialog: x')
  expect(await intrusionsIn(page)).toContain('an element object')
  await page.context().close()
})

test('another person sees injected texts only as text', { tag: '@long' }, async ({ browser, duet }) => {
  expect(injections.length).toBeGreaterThanOrEqual(100)
  const page = await browserOf(browser, duet, victim, { viewport })
  const { seen } = await watched(page, duet)
  for (const one of all) {
    await page.goto(`/profile/${one.id}`)
    await reads(page, [one.name, ...one.page])
    await page.goto(`/chat/${one.id}`)
    await reads(page, [one.name, ...one.messages, one.edited])
  }
  await page.goto('/likes')
  await reads(
    page,
    all.map(({ comment }) => comment),
  )
  await page.goto('/home')
  await expect(page.locator('[data-card=top]')).toBeVisible()
  expect(await intrusionsIn(page)).toEqual([])
  await page.goto('/settings/safety')
  await reads(
    page,
    all.map(({ name }) => name),
  )
  expect(seen).toEqual([])
  await page.context().close()
})

test('administrators see injected texts only as text', { tag: '@long' }, async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, other, { viewport })
  const { seen } = await watched(page, duet)
  for (const [view, said] of [
    ['reports', ({ name, details, messages }: Intruder) => [name, details, ...messages.slice(-8)]],
    ['appeals', ({ name, statement, appeal }: Intruder) => [name, statement, appeal]],
  ] as const) {
    await page.goto(`/admin?view=${view}`)
    const cases = page.getByRole('list', { name: `Open ${view}` }).getByRole('button')
    await expect(cases).toHaveCount(intruders)
    const found = new Set<string>()
    for (let n = 0; n < intruders; n++) {
      await cases.nth(n).click()
      await expect(cases.nth(n)).toHaveAttribute('aria-current', 'true')
      const row = visible((await cases.nth(n).textContent()) ?? '')
      const whose = all.find(({ name, id }) => row.includes(visible(name)) && !found.has(id)) as Intruder
      found.add(whose.id)
      await reads(page, said(whose))
    }
  }
  for (const view of ['photos', 'record', 'review', 'figures']) {
    await page.goto(`/admin?view=${view}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await reads(page, view === 'photos' ? all.map(({ name }) => name) : [])
  }
  expect(seen).toEqual([])
  await page.context().close()
})

test('people who were warned, and anyone with the link of a date, see injected texts only as text', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const [one] = all as [Intruder]
  const page = await browserOf(browser, duet, one, { viewport })
  const { seen } = await watched(page, duet)
  await page.goto('/standing')
  await reads(page, [one.statement, one.appeal])
  let left: readonly string[] = injections
  let url = ''
  for (let n = 0; left.length > 0; n++) {
    const place = pack(left, 200)
    const note = pack(place.rest, 500)
    const at = new Date(Date.now() + (n + 1) * 3_600_000).toISOString()
    const date = { place: place.packed, note: note.packed, at }
    ;({ url } = await ask<{ url: string }>(duet, one, 'POST', '/api/dates', date))
    left = note.rest
  }
  await page.goto('/dates')
  await reads(page, injections)
  const { dates } = await ask<{ dates: { place: string; note: string; url: string }[] }>(duet, one, 'GET', '/api/dates')
  const last = dates.find((date) => date.url === url)
  await page.goto(new URL(url, duet.baseURL).pathname)
  await reads(page, [one.name, last?.place ?? '', last?.note ?? ''])
  expect(seen).toEqual([])
  await page.context().close()
})

test('injected texts in paths and queries stay text', { tag: '@long' }, async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, victim)
  const { seen } = await watched(page, duet)
  await page.goto('/home')
  const paths = injections
    .map((text) => encoded(text))
    .flatMap((text, n) => [
      [`/profile/${text}`, `/chat/${text}`, `/safety/${text}`][n % 3] as string,
      [`/admin?view=${text}`, `/home?filter=${text}`, `/likes?tab=${text}#${text}`, `/settings#${text}`][
        n % 4
      ] as string,
    ])
  await page.evaluate(async (all) => {
    for (const path of all) {
      history.pushState(null, '', path)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }, paths)
  expect(await intrusionsIn(page)).toEqual([])
  // Load the addresses from the server while signed out, because no script runs before the address is read.
  await page.evaluate(() => localStorage.clear())
  for (const text of injections.filter((_, n) => n % 16 === 0)) {
    const words = encoded(text)
    await page.goto(`/login?next=${words}&from=${words}#${words}`)
    await expect(page.getByRole('heading').first()).toBeVisible()
    expect(await intrusionsIn(page)).toEqual([])
    expect(new URL(page.url()).origin).toBe(duet.baseURL)
  }
  expect(seen).toEqual([])
  await page.context().close()
})
