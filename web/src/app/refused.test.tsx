import { screen } from '@testing-library/react'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { disconnect } from '../platform/socket/socket.ts'
import { problem } from '../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../test/render.tsx'
import { Pages } from './router.tsx'

// When browsers block site data, many APIs throw. None of these exceptions may crash a screen.

beforeAll(() => Promise.all([import('./shell.tsx'), import('../features/conversations/panel.tsx')]))
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.stubGlobal('fetch', async () => problem(503, 'unavailable'))
  onTestFinished(() => {
    disconnect()
    vi.unstubAllGlobals()
  })
})

const refuse = (): never => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}
const isFull = (): never => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
}

function put(owner: object, name: string, property: PropertyDescriptor): void {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  Object.defineProperty(owner, name, { configurable: true, ...property })
  onTestFinished(() => {
    Reflect.deleteProperty(owner, name)
    if (before) Object.defineProperty(owner, name, before)
  })
}

const globals = ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'BroadcastChannel', 'Notification']
const ofNavigator = ['locks', 'serviceWorker', 'storage', 'mediaDevices', 'geolocation', 'setAppBadge']
const worker = { addEventListener: refuse, removeEventListener: refuse, getRegistration: refuse, register: refuse }
const full = { setItem: isFull, getItem: () => null, removeItem: () => undefined }
const methods: [string, () => void][] = [
  ['new BroadcastChannel', () => put(globalThis, 'BroadcastChannel', { value: refuse })],
  ['indexedDB.open', () => put(globalThis, 'indexedDB', { value: { open: refuse } })],
  [
    'Notification.permission',
    () => put(globalThis, 'Notification', { value: Object.create(null, { permission: { get: refuse } }) }),
  ],
  ['locks.request', () => put(navigator, 'locks', { value: { request: refuse } })],
  ['every method of serviceWorker', () => put(navigator, 'serviceWorker', { value: worker })],
  ['setAppBadge()', () => put(navigator, 'setAppBadge', { value: refuse })],
  ['localStorage.setItem because it is full', () => put(globalThis, 'localStorage', { value: full })],
]

test.each([
  ...globals.map((name): [string, () => void] => [name, () => put(globalThis, name, { get: refuse })]),
  ...ofNavigator.map((name): [string, () => void] => [
    `navigator.${name}`,
    () => put(navigator, name, { get: refuse }),
  ]),
  ...methods,
])('a signed-in page opens in a browser that blocks %s', async (_, forbid) => {
  forbid()
  signInAs(jun)
  await renderPage(<Pages />, { texts: ['common', 'conversations', 'discovery', 'notifications'] })
  expect(await screen.findByRole('navigation', { name: 'Main' })).toBeTruthy()
  expect(await screen.findByRole('region', { name: 'Messages' })).toBeTruthy()
  expect(screen.queryByText('This screen stopped working.')).toBeNull()
})
