import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { mockEndpoint, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { mayOffer } from './offered.ts'
import { followPush } from './push.tsx'
import { ThisDevice } from './this-device.tsx'

const endpoint = 'https://push.example/1'
const pushManager = {
  getSubscription: vi.fn(async () => null),
  subscribe: vi.fn(async () => ({ toJSON: () => ({ endpoint, keys: { p256dh: 'a', auth: 'b' } }) })),
}
const serviceWorker = Object.assign(new EventTarget(), { getRegistration: async () => ({ pushManager }) })

function standIn(answer: NotificationPermission): void {
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', { permission: 'default', requestPermission: async () => answer })
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
}
afterEach(resetEndpoints)

async function turnOn(answer: NotificationPermission) {
  standIn(answer)
  signInAs(jun)
  const device = { id: 'd', device: 'Firefox', since: '2026-11-01T10:00:00Z', current: true }
  const told = mockEndpoint('PUT /api/push/subscription', () => ({ ok: true }))
  mockEndpoint('GET /api/push', () => ({ publicKey: 'AQID', devices: told.length > 0 ? [device] : [] }))
  const { user } = await renderPage(<ThisDevice />, { texts: ['push'] })
  await user.click(await screen.findByRole('button', { name: 'Turn on' }))
  return told
}

test('Turning on notifications subscribes with the server’s key and sends it the endpoint', async () => {
  const told = await turnOn('granted')
  expect(await screen.findByText('On for this device')).toBeTruthy()
  const key = new Uint8Array([1, 2, 3])
  expect(pushManager.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: key })
  expect(told[0]?.body).toMatchObject({ endpoint, keys: { p256dh: 'a', auth: 'b' } })
})

test('A person who denies permission isn’t subscribed', async () => {
  const told = await turnOn('denied')
  expect(await screen.findByRole('button', { name: 'Turn on' })).toBeTruthy()
  expect(told).toEqual([])
})

test('Pressing a notification opens its link in the page, but never another site', async () => {
  standIn('granted')
  await renderPage(null)
  const stop = followPush()
  const press = (link: string) =>
    act(() => void serviceWorker.dispatchEvent(new MessageEvent('message', { data: { type: 'open', link } })))
  press('https://evil.example')
  expect(screen.getByTestId('address').textContent).toBe('/home')
  press('/chat/u_maya')
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/chat/u_maya'))
  stop()
})

test('Push is offered to whoever signs in after a session ended, but not after someone turned it off', async () => {
  localStorage.clear()
  await turnOn('granted')
  const button = await screen.findByRole('button', { name: 'Turn off' })
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' })
  expect(mayOffer()).toBe(false)
  act(() => signInAs(null))
  expect(mayOffer()).toBe(true)
  act(() => signInAs(jun))
  mockEndpoint('DELETE /api/push/devices/:id', () => ({ ok: true }))
  await userEvent.click(button)
  await waitFor(() => expect(mayOffer()).toBe(false))
})
