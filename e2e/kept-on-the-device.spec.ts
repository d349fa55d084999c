import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Duet, startDuet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { addPhoto, browserOf, picture, say, someone } from './people.ts'

const root = join(import.meta.dirname, '..')
const allowed = { serviceWorkers: 'allow' } as const

/** Waits until the service worker has cached the whole app and controls the page. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
  })

test('every screen opens while the server is down', { tag: '@long' }, async ({ browser }) => {
  const own = await startDuet({ DEMO: 'off' })
  const [ana, ben] = [await someone(own, 'Ana'), await someone(own, 'Ben')]
  const page = await browserOf(browser, own, ana, allowed)
  await page.goto('/home')
  await kept(page)
  await own.stop()
  const screens = [
    '/',
    '/home',
    '/likes',
    '/chat',
    `/chat/${ben.id}`,
    '/questions',
    '/dates',
    '/settings',
    '/settings/safety',
  ]
  for (const path of [...screens, `/profile/${ana.id}`, `/profile/${ben.id}`]) {
    await page.goto(path)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await expect(page.getByText('This screen stopped working.')).toHaveCount(0)
  }
  for (const path of ['/terms', '/safety', '/how-matching-works']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.evaluate(() => localStorage.removeItem('user'))
  for (const path of ['/login', '/signup']) {
    await page.goto(path)
    await expect(page.getByRole('textbox').first()).toBeVisible()
  }
})

test('the worker neither serves nor stores API responses and pictures', { tag: '@long' }, async ({ browser, duet }) => {
  const ana = await someone(duet, 'Ana')
  await addPhoto(duet, ana, await picture('#775544'))
  const page = await browserOf(browser, duet, ana, allowed)
  await page.goto('/home')
  await kept(page)
  const answers: { path: string; byWorker: boolean }[] = []
  page.on('response', (response) => {
    answers.push({ path: new URL(response.url()).pathname, byWorker: response.fromServiceWorker() })
  })
  await page.goto(`/profile/${ana.id}`)
  await expect(page.getByRole('main').getByRole('img').first()).toBeVisible()
  await expect.poll(() => answers.filter(({ path }) => path.startsWith('/media/')).length).toBeGreaterThan(0)
  const isKept = ({ path }: { path: string }) => !/^\/(api|media|socket\.io)\//.test(path)
  expect(answers.filter(({ byWorker }) => byWorker).every(isKept)).toBe(true)
  expect(answers.find(({ path }) => path.startsWith('/assets/'))?.byWorker).toBe(true)
  const cached = await page.evaluate(async () => {
    const requests = (await caches.keys())
      .filter((name) => name !== 'builds')
      .map(async (name) => (await caches.open(name)).keys())
    return (await Promise.all(requests)).flat().map(({ url }) => new URL(url).pathname)
  })
  expect(cached).toContain('/')
  expect(cached.filter((path) => !/^\/(assets\/.*|icon(-unread)?\.svg|manifest\.webmanifest)?$/.test(path))).toEqual([])
  const health = await page.goto('/healthz')
  expect(health?.fromServiceWorker()).toBe(false)
  expect(await health?.json()).toMatchObject({ ok: true })
})

test('the worker is never cached, and no other policy can create trusted URLs', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const { headers } = await fetch(`${duet.baseURL}/service-worker.js`)
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('content-type')).toContain('javascript')
  const page = await browserOf(browser, duet, undefined, allowed)
  await page.goto('/login')
  await kept(page)
  const refused = await page.evaluate(() => {
    const { trustedTypes } = window as unknown as {
      trustedTypes: { createPolicy: (name: string, rules: object) => void }
    }
    return ['another', 'duet-service-worker'].map((name) => {
      try {
        trustedTypes.createPolicy(name, {})
        return 'made'
      } catch {
        return 'refused'
      }
    })
  })
  expect(refused).toEqual(['refused', 'refused'])
})

test('a second visit with the service worker fetches no script', { tag: '@long' }, async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, await someone(duet, 'Ana'), allowed)
  await page.goto('/home')
  await kept(page)
  const fetched: string[] = []
  page.context().on('request', (request) => request.url().endsWith('.js') && fetched.push(request.url()))
  page.on('response', (response) => {
    if (response.fromServiceWorker()) fetched.splice(fetched.indexOf(response.url()), 1)
  })
  await page.goto('/home')
  await page.waitForLoadState('networkidle')
  // Browsers check for a new service worker on every load.
  expect(fetched.filter((url) => !url.endsWith('/service-worker.js'))).toEqual([])
})

test('Chromium finds nothing that would prevent installing the app', { tag: '@long' }, async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, undefined, allowed)
  await page.goto('/login')
  await kept(page)
  const devtools = await page.context().newCDPSession(page)
  const manifest = await devtools.send('Page.getAppManifest')
  expect(manifest.errors).toEqual([])
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // Incognito windows, which these tests use, can't install apps, so this error is always present.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
})

/** Creates a folder laid out like a release, in which the test can replace the web app. */
function ownFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'duet-builds-'))
  for (const part of ['node_modules', 'package.json']) symlinkSync(join(root, part), join(folder, part))
  mkdirSync(join(folder, 'server'))
  symlinkSync(join(root, 'server/node_modules'), join(folder, 'server/node_modules'))
  for (const part of ['server/dist', 'web/dist'])
    cpSync(realpathSync(join(root, part)), join(folder, part), { recursive: true })
  return { folder, web: join(folder, 'web/dist'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Fakes another build: renames every script, updates the references to it, and removes the old scripts. */
function buildAnew(web: string): void {
  const scripts = readdirSync(join(web, 'assets')).filter((name) => name.endsWith('.js'))
  const nextOf = (name: string) => name.replace('-', '-x')
  for (const name of scripts) renameSync(join(web, 'assets', name), join(web, 'assets', nextOf(name)))
  for (const file of ['index.html', 'service-worker.js', ...scripts.map((name) => `assets/${nextOf(name)}`)]) {
    const text = scripts.reduce(
      (all, name) => all.replaceAll(name, nextOf(name)),
      readFileSync(join(web, file), 'utf8'),
    )
    writeFileSync(join(web, file), text.replace(/(build:[`"'])(\w+)/, '$1x$2'))
  }
}

const builtName = (page: Page) =>
  page.evaluate(
    () =>
      [...document.scripts]
        .find(({ src }) => src.includes('/base-'))
        ?.src.split('/')
        .at(-1) ?? '',
  )
/** Finds the first script of a build made by `buildAnew`. It is present once that build's page has loaded. */
const ofNext = (page: Page) => page.locator('script[src*="/base-x"]')
const update = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready).update())

async function withOwnBuild(act: (duet: Duet, web: string) => Promise<void>): Promise<void> {
  const { folder, web, remove } = ownFolder()
  const duet = await startDuet({ DEMO: 'off' }, folder)
  try {
    await act(duet, web)
  } finally {
    await duet.stop()
    remove()
  }
}

test('a new version waits until the person reloads, and loses no draft and no photo', { tag: '@long' }, async ({
  browser,
}) => {
  await withOwnBuild(async (duet, web) => {
    const [ana, ben] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
    for (const [from, to] of [
      [ana, ben],
      [ben, ana],
    ] as const)
      await say(duet, from, to, 'Hello')
    const page = await browserOf(browser, duet, ana, allowed)
    await page.goto(`/chat/${ben.id}`)
    const other = await page.context().newPage()
    await other.goto('/home')
    await kept(page)
    const before = await builtName(page)
    await page.getByRole('textbox', { name: /message/i }).fill('half a sentence')
    const photo = { name: 'lake.jpg', mimeType: 'image/jpeg', buffer: await picture('#3366aa') }
    await page.locator('input[type=file]').setInputFiles(photo)
    await expect(page.getByRole('button', { name: /remove.*photo|remove/i }).first()).toBeVisible()

    buildAnew(web)
    await update(page)
    await expect(other.getByText('A new version is ready.')).toBeVisible()
    // A reload would lose this page's unsent photo, so the page doesn't offer one.
    await expect(page.getByText('A new version is ready.')).toHaveCount(0)
    // Until someone clicks, the old version continues, even after a reload, with files that the server no longer has.
    await other.reload()
    expect(await builtName(other)).toBe(before)

    await other.getByRole('button', { name: 'Reload' }).click()
    await expect(ofNext(other)).toHaveCount(1)
    // The first page continues, sends its photo, and may then load the new version too.
    expect(await builtName(page)).toBe(before)
    expect(await page.evaluate((path) => fetch(path).then(({ status }) => status), `/assets/${before}`)).toBe(200)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('A new version is ready.')).toBeVisible()
    await page.getByRole('textbox', { name: /message/i }).fill('half a sentence')
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(ofNext(page)).toHaveCount(1)
    await expect(page.getByRole('textbox', { name: /message/i })).toHaveValue('half a sentence')
    await page.context().close()
  })
})

test('a new version starts immediately, even if the previous worker never finishes its work', {
  tag: '@long',
}, async ({ browser }) => {
  await withOwnBuild(async (duet, web) => {
    const worker = join(web, 'service-worker.js')
    const busy = "self.addEventListener('message', (event) => event.waitUntil(new Promise(() => {})));"
    writeFileSync(worker, busy + readFileSync(worker, 'utf8'))
    const page = await browserOf(browser, duet, await someone(duet, 'Ana'), allowed)
    await page.goto('/home')
    await kept(page)
    await page.evaluate(() => navigator.serviceWorker.controller?.postMessage('work'))
    buildAnew(web)
    await update(page)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(ofNext(page)).toHaveCount(1)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await page.goto('/likes')
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await expect(ofNext(page)).toHaveCount(1)
    await page.context().close()
  })
})

test("a new version whose files aren't all deployed yet isn't installed", { tag: '@long' }, async ({ browser }) => {
  await withOwnBuild(async (duet, web) => {
    const page = await browserOf(browser, duet, await someone(duet, 'Ana'), allowed)
    await page.goto('/home')
    await kept(page)
    const before = await builtName(page)
    // During a rolling update, the worker can come from a node of the next release and the page from a node of this
    // one.
    const pageOfBefore = readFileSync(join(web, 'index.html'), 'utf8')
    buildAnew(web)
    const pageOfNext = readFileSync(join(web, 'index.html'), 'utf8')
    writeFileSync(join(web, 'index.html'), pageOfBefore)
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      const found = new Promise<ServiceWorker>((resolve) =>
        registration.addEventListener('updatefound', () => registration.installing && resolve(registration.installing)),
      )
      await registration.update()
      const worker = await found
      while (worker.state !== 'redundant')
        await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }))
    })
    await page.reload()
    expect(await builtName(page)).toBe(before)
    await expect(page.getByText('A new version is ready.')).toHaveCount(0)
    writeFileSync(join(web, 'index.html'), pageOfNext)
    await update(page)
    await expect(page.getByText('A new version is ready.')).toBeVisible()
    await page.context().close()
  })
})

test('an operator removes the worker from all browsers with one file', { tag: '@long' }, async ({ browser }) => {
  await withOwnBuild(async (duet, web) => {
    const page = await browserOf(browser, duet, await someone(duet, 'Ana'), allowed)
    await page.goto('/home')
    await kept(page)
    // Removing the worker's file changes nothing, because the installed worker continues.
    rmSync(join(web, 'service-worker.js'))
    await page.reload()
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    cpSync(join(root, 'deploy/service-worker-off.js'), join(web, 'service-worker.js'))
    await update(page)
    const left = () =>
      page.evaluate(async () => [
        (await navigator.serviceWorker.getRegistrations()).length,
        (await caches.keys()).length,
      ])
    await expect.poll(left).toEqual([0, 0])
    await page.context().close()
  })
})
