import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page, Worker } from '@playwright/test'
import { type Browser as Pushed, type PushService, startPushService } from '../server/src/test/push-service.ts'
import { type Duet, startDuet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { lookAt } from './look.ts'
import { browserOf, type Someone, say, someone } from './people.ts'

// Headless Chromium has no push service and shows no notifications, so the test fakes the subscription and records the
// notifications that the worker would show. The pushes are real: Duet encrypts and signs them, and the browser delivers
// them to the worker.

let service: PushService
let duet: Duet
let folder: string
test.beforeAll(async () => {
  service = await startPushService()
  folder = mkdtempSync(join(tmpdir(), 'duet-push-'))
  writeFileSync(join(folder, 'ca.pem'), service.certificate)
  duet = await startDuet({ DEMO: 'off', PUSH_HOSTS: 'localhost', NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })
})
test.afterAll(async () => {
  await duet.stop()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

async function standIn(page: Page, { subscription }: Pushed): Promise<void> {
  await page.context().addInitScript((told) => {
    Object.defineProperty(Notification, 'permission', {
      get: () => localStorage.getItem('test-permission') ?? 'default',
    })
    Notification.requestPermission = async () => {
      localStorage.setItem('test-permission', 'granted')
      return 'granted'
    }
    let made: unknown = JSON.parse(localStorage.getItem('test-subscription') ?? 'null')
    const whole = (key: number[]) => ({
      ...told,
      options: { applicationServerKey: new Uint8Array(key).buffer },
      toJSON: () => told,
      unsubscribe: async () => {
        localStorage.removeItem('test-subscription')
        made = null
      },
    })
    if (made) made = whole(made as number[])
    PushManager.prototype.getSubscription = async () => made as never
    PushManager.prototype.subscribe = async (options) => {
      const key = Array.from(options?.applicationServerKey as Uint8Array)
      localStorage.setItem('test-subscription', JSON.stringify(key))
      made = whole(key)
      return made as never
    }
  }, subscription)
}

/** Opens a page of the same origin without the app, so that the person counts as away. */
async function backstage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${duet.baseURL}/icon.svg`)
  return page
}

async function deliver(page: Page, message: unknown): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const registration = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations
      if (one) resolve(one.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const parts = { origin: duet.baseURL, registrationId: await registration, data: JSON.stringify(message) }
  await session.send('ServiceWorker.deliverPushMessage', parts)
  await session.detach()
}

interface Shown {
  title: string
  options: NotificationOptions
}

/** Returns the service worker, changed to record its notifications instead of showing them. */
async function takeShown(context: BrowserContext): Promise<Worker> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(() => {
    const kept: Shown[] = []
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
    registration.showNotification = async (title, options = {}) => void kept.push({ title, options })
    registration.getNotifications = async () =>
      kept.map(({ title, options }) => ({ ...options, title, close: () => kept.splice(0) })) as never
  })
  return worker
}

const shown = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
    return (await registration.getNotifications()).map(({ title, body, lang }) => ({ title, body, lang }))
  })

/** Simulates a click on a notification, which isn't possible in a headless browser. */
const press = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
    const [notification] = await registration.getNotifications()
    self.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil: () => undefined }))
  })

async function unreadOf({ token }: Someone): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${duet.baseURL}/api/messages/history`, { headers })
  const conversations = (await answer.json()) as { unreadCount: number }[]
  return conversations.reduce((all, { unreadCount }) => all + unreadCount, 0)
}

async function signInAgain({ email }: Someone): Promise<Someone> {
  const answer = await fetch(`${duet.baseURL}/api/user/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a long password' }),
  })
  return (await answer.json()) as Someone
}

async function turnOn(page: Page): Promise<void> {
  await page.goto('/settings/notifications')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('On for this device')).toBeVisible()
}

test('someone turns notifications on, gets one about a message while away, and a click opens the chat', {
  tag: '@long',
}, async ({ browser }) => {
  const [ana, ben] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
  const pushed = service.newBrowser()
  const page = await browserOf(browser, duet, ana, { serviceWorkers: 'allow' })
  const context = page.context()
  await standIn(page, pushed)
  await turnOn(page)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect.poll(() => pushed.received.map(({ message }) => message.kind)).toEqual(['test'])

  const behind = await backstage(context)
  const worker = await takeShown(context)
  await page.close()
  await say(duet, ben, ana, 'Shall we meet?')
  await expect.poll(() => pushed.received.length).toBe(2)
  await deliver(behind, pushed.received[1]?.message)
  await expect
    .poll(() => shown(worker))
    .toEqual([{ title: 'Duet', body: 'There’s something new for you.', lang: 'en' }])

  const again = await context.newPage()
  await again.goto('/home')
  await expect(again.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await press(worker)
  await expect(again).toHaveURL(new RegExp(`/chat/${ben.id}$`))
  await expect(again.getByRole('log').getByText('Shall we meet?')).toBeVisible()
  await context.close()
})

test("a message read on one device isn't pushed to another, and names show once they are allowed", {
  tag: '@long',
}, async ({ browser }) => {
  const [ana, ben, cem] = [await someone(duet, 'Ana'), await someone(duet, 'Ben'), await someone(duet, 'Cem')]
  const pushed = service.newBrowser()
  const page = await browserOf(browser, duet, ana, { serviceWorkers: 'allow' })
  await standIn(page, pushed)
  await turnOn(page)
  await page.getByRole('radio', { name: /^Who it’s from/ }).click()
  await expect(page.getByRole('radio', { name: /^Who it’s from/ })).toBeChecked()
  const behind = await backstage(page.context())
  const worker = await takeShown(page.context())
  await page.goto(`/chat/${ben.id}`)
  await say(duet, ben, ana, 'Are you there?')
  await expect(page.getByRole('log').getByText('Are you there?')).toBeVisible()
  await expect.poll(() => unreadOf(ana)).toBe(0)
  await page.close()
  await say(duet, cem, ana, 'And I am Cem')
  await expect.poll(() => pushed.received.length).toBe(1)
  await deliver(behind, pushed.received[0]?.message)
  await expect.poll(() => shown(worker)).toEqual([{ title: 'Cem messaged you', body: '', lang: 'en' }])
  await behind.context().close()
})

test('the list of push devices fits and is accessible in every width, in both themes and from right to left', {
  tag: '@long',
}, async ({ browser }) => {
  const ana = await someone(duet, 'Ana')
  for (const locale of ['en-GB', 'ar']) {
    const session = await signInAgain(ana)
    const page = await browserOf(browser, duet, session, { serviceWorkers: 'allow', locale })
    await standIn(page, service.newBrowser())
    await page.goto('/settings/notifications')
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await page.locator('#push').getByRole('button').first().click()
    const { lookWide } = lookAt(page, { thrifty: true })
    await lookWide(`push-on-${locale}`, undefined, () =>
      expect(page.locator('#push').getByRole('button')).toHaveCount(locale === 'ar' ? 3 : 2),
    )
    await page.context().close()
  }
})

test('signing out ends push notifications on the device and on the server', { tag: '@long' }, async ({ browser }) => {
  const [ana, ben] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
  const pushed = service.newBrowser()
  const page = await browserOf(browser, duet, ana, { serviceWorkers: 'allow' })
  await standIn(page, pushed)
  await turnOn(page)
  await page.goto('/settings/account')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('test-subscription'))).toBeNull()
  expect(await page.evaluate(() => localStorage.getItem('push'))).toBeNull()
  await say(duet, ben, ana, 'Hello')
  const carl = await someone(duet, 'Carl')
  const other = service.newBrowser()
  const away = await browserOf(browser, duet, carl, { serviceWorkers: 'allow' })
  await standIn(away, other)
  await turnOn(away)
  await away.close()
  await say(duet, ben, carl, 'Hello')
  await expect.poll(() => other.received.length).toBe(1)
  expect(pushed.received).toEqual([])
})
