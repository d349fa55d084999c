import { afterEach, expect, test, vi } from 'vitest'
import { useSession } from '../../../platform/session.ts'
import { jun, signInAs } from '../../../test/render.tsx'
import { keepDestination, takeDestination } from './destination.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  useSession.getState().forget()
  sessionStorage.clear()
})

function goTo(address: string): void {
  history.replaceState(null, '', address)
  keepDestination()
}

test('A visitor who signs in is sent to the address they had opened, once', () => {
  // Make the next sign-in the first one on this page.
  signInAs(jun)
  goTo('/chat/u_maya?from=mail#end')
  expect(takeDestination()).toBe('/chat/u_maya?from=mail#end')
  expect(takeDestination()).toBe('/home')
})

test.each([
  ['the same person', jun, '/chat/u_maya'],
  ['another person', { ...jun, id: 'u_kofi' }, '/home'],
])('The address where a session ended reopens only for the same person: %s', (_, next, expected) => {
  signInAs(jun)
  useSession.getState().forget()
  goTo('/chat/u_maya')
  signInAs(next)
  expect(takeDestination()).toBe(expected)
})

test('The next sign-in after signing out leads home', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}))
  signInAs(jun)
  await useSession.getState().signOut()
  goTo('/chat/u_maya')
  signInAs(jun)
  expect(takeDestination()).toBe('/home')
})

test.each(['/login', '/signup', '/chatter', '/likes.evil.example'])('Signing in never leads to %s', (address) => {
  goTo(address)
  expect(takeDestination()).toBe('/home')
})

test.each(['//evil.example/home', 'https://evil.example/home', 'javascript:alert(1)', '/\\\\evil.example'])(
  'Signing in never leads out of the app: %s',
  (address) => {
    sessionStorage.setItem('destination', address)
    expect(takeDestination()).toBe('/home')
  },
)
