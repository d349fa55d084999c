import { expect, test } from './fixtures.ts'
import { browserOf, say, someone } from './people.ts'

// Simulates browsers that block site data or whose storage is full. Each script runs before the page's own scripts.

const refuse = `() => { throw new DOMException('The operation is insecure.', 'SecurityError') }`
const isFull = `() => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError') }`
const getter = (owner: string, name: string) =>
  `Object.defineProperty(${owner}, '${name}', { configurable: true, get: ${refuse} })`
const method = (owner: string, name: string, act = refuse) => `${owner}.prototype.${name} = ${act}`

const refusals: Record<string, string[]> = {
  'localStorage and sessionStorage': [getter('window', 'localStorage'), getter('window', 'sessionStorage')],
  IndexedDB: [getter('window', 'indexedDB')],
  'opening IndexedDB': [method('IDBFactory', 'open')],
  BroadcastChannel: [getter('window', 'BroadcastChannel')],
  'creating a BroadcastChannel': [`window.BroadcastChannel = class { constructor() { (${refuse})() } }`],
  'posting to a BroadcastChannel': [method('BroadcastChannel', 'postMessage')],
  locks: [getter('Navigator.prototype', 'locks')],
  'requesting a lock': [method('LockManager', 'request')],
  'service workers': [getter('Navigator.prototype', 'serviceWorker')],
  'registering a service worker': [
    method('ServiceWorkerContainer', 'getRegistration'),
    method('ServiceWorkerContainer', 'register'),
  ],
  caches: [getter('window', 'caches')],
  notifications: [getter('window', 'Notification')],
  'Notification.permission': [`Object.defineProperty(Notification, 'permission', { get: ${refuse} })`],
  'media devices, location, clipboard and credentials': [
    getter('Navigator.prototype', 'mediaDevices'),
    getter('Navigator.prototype', 'geolocation'),
    getter('Navigator.prototype', 'clipboard'),
    getter('Navigator.prototype', 'credentials'),
  ],
  'badges, vibration and random UUIDs': [
    method('Navigator', 'setAppBadge'),
    method('Navigator', 'clearAppBadge'),
    method('Navigator', 'vibrate'),
    method('Crypto', 'randomUUID'),
  ],
  'writes because storage is full': [method('Storage', 'setItem', isFull), method('IDBObjectStore', 'put', isFull)],
}
const allAtOnce = Object.values(refusals).flat()

for (const [name, scripts] of [...Object.entries(refusals), ['all of these at once', allAtOnce] as const])
  test(`someone can sign in and send a message in a browser that refuses ${name}`, { tag: '@long' }, async ({
    browser,
    duet,
  }) => {
    const [ana, ben] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
    await say(duet, ben, ana, 'Hello')
    await say(duet, ana, ben, 'Hello yourself')
    const page = await browserOf(browser, duet, undefined)
    // Run each script separately, because some use globals that earlier ones have made throw.
    for (const script of scripts) await page.addInitScript(`try { ${script} } catch {}`)
    await page.goto('/login')
    await page.getByLabel('Email').fill(ana.email)
    await page.getByRole('button', { name: 'Use a password' }).click()
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: /^Ben/ }).click()
    await page.getByRole('textbox', { name: /message/i }).fill('Written all the same')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const sent = page.getByRole('log').getByText('Written all the same')
    await expect(sent).toBeVisible()
    await expect(
      page
        .getByRole('log')
        .getByText(/^(Sent|Delivered)/)
        .last(),
    ).toBeAttached()
    for (const place of ['Likes', 'Your profile', 'Discover']) {
      await page.getByRole('navigation').getByRole('link', { name: place }).first().click()
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await expect(page.getByText('This screen stopped working.')).toHaveCount(0)
    }
    await page.context().close()
  })
