import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { withStepUp } from '../features/accounts/accounts.ts'
import { showMatch } from '../features/matches/matches.tsx'
import { useReportStore } from '../features/reports/report-store.ts'
import { toProblemError } from '../platform/problem.ts'
import { useSession } from '../platform/session.ts'
import { afterFailure, keepWay } from '../platform/socket/kept-way.ts'
import { disconnect, getSocket } from '../platform/socket/socket.ts'
import { problem } from '../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../test/render.tsx'
import { Pages } from './router.tsx'

// These tests run the whole app against a server that refuses every request and live connection.

const ask = vi.fn(async () => problem(503, 'unavailable'))

// The first import is slow, so it runs before the tests, where their timeouts don't apply.
beforeAll(() => Promise.all([import('./shell.tsx'), import('../features/conversations/panel.tsx')]))
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.stubGlobal('fetch', ask)
  ask.mockClear()
})
afterEach(() => {
  disconnect()
  vi.unstubAllGlobals()
})

const open = (path: string) =>
  renderPage(<Pages />, { path, texts: ['common', 'conversations', 'discovery', 'entry', 'notifications', 'terms'] })
const address = () => screen.getByTestId('address').textContent
const bar = () => screen.findByRole('navigation', { name: 'Main' })
const logged = () => vi.mocked(console.error).mock.calls.map(([text]) => text)

test('/ redirects a signed-in person to /home, and an unknown path redirects to /login', async () => {
  signInAs(jun)
  const { unmount } = await open('/')
  await bar()
  expect(address()).toBe('/home')
  unmount()
  await open('/no/such/path')
  await waitFor(() => expect(address()).toBe('/login'))
})

test('failing to load the person’s own details and failing to connect are only logged', async () => {
  signInAs(jun)
  // happy-dom's WebSocket closes without an error if there is no server, so this test starts with polling.
  keepWay(afterFailure)
  await open('/home')
  await waitFor(() => expect(logged()).toContain('Couldn’t load the person’s own details.'))
  await waitFor(() => expect(logged()).toContain('Couldn’t connect to the chat server.'))
  expect(await bar()).toBeTruthy()
  expect(address()).toBe('/home')
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('the messaging panel shows only with a stored id and token', async () => {
  signInAs(jun)
  const { unmount } = await open('/home')
  expect(await screen.findByRole('region', { name: 'Messages' })).toBeTruthy()
  unmount()
  useSession.setState({ user: { ...jun, token: '' } })
  await open('/home')
  await bar()
  expect(screen.queryByRole('region', { name: 'Messages' })).toBeNull()
})

test.each(['/login', '/signup', '/terms'])('a visitor who opens %s sees no navigation bar', async (path) => {
  signInAs(null)
  await open(path)
  await screen.findByRole('heading', { level: 1 })
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
})

test('without a stored user, the app requests nothing and doesn’t connect', async () => {
  signInAs(null)
  await open('/login')
  await screen.findByRole('button', { name: 'Sign in' })
  expect(ask).not.toHaveBeenCalled()
  expect(getSocket()).toBeNull()
})

const user = { id: 'u_ines', name: 'Ines', photo: null }
const stale = toProblemError(403, { code: 'reauthentication_required', title: '', detail: '' }, null)
const dialogs: Record<string, [file: string, open: () => void]> = {
  'the report': [
    '../features/reports/report-dialog.tsx',
    () => useReportStore.getState().ask({ userId: user.id, name: user.name, subject: { kind: 'profile' } }),
  ],
  'a match': [
    '../features/matches/match-panel.tsx',
    () => showMatch({ user, matchedAt: '2026-11-20T12:00:00.000Z', openers: [], hasMessages: false }),
  ],
  'the proof of identity': [
    '../features/accounts/step-up-dialog.tsx',
    () => void withStepUp(() => Promise.reject(stale)).catch(() => undefined),
  ],
}

test.each(Object.keys(dialogs))('the navigation stays when the code of %s fails to load', async (name) => {
  const [file, show] = dialogs[name] ?? ['', () => undefined]
  vi.doMock(file, () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  signInAs(jun)
  await open('/home')
  await bar()
  act(show)
  expect(await screen.findByText('This couldn’t be opened. Check your connection, then reload.')).toBeTruthy()
  expect(await bar()).toBeTruthy()
})
