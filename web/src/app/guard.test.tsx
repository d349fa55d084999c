import { act, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Route } from 'wouter'
import { takeDestination } from '../features/accounts/entry/destination.ts'
import { useSession } from '../platform/session.ts'
import { mockEndpoint, resetEndpoints } from '../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../test/render.tsx'
import { Guard, type RouteName, redirectFor } from './guard.tsx'

afterEach(resetEndpoints)

const admin = { ...jun, isSuperAdmin: true }

test('login, signup and TermsAndConditions are open to everyone', () => {
  for (const route of ['login', 'signup', 'TermsAndConditions'] as const) {
    expect(redirectFor(route, null)).toBeNull()
    expect(redirectFor(route, jun)).toBeNull()
  }
})

test('a route that isn’t public redirects a visitor with no stored session to /login', () => {
  for (const route of ['home', 'profile', 'chat', 'settings', 'SuperiorAdmin'] as const)
    expect(redirectFor(route, null)).toBe('/login')
})

test('a signed-in person may open every route except SuperiorAdmin', () => {
  const routes = ['home', 'chat', 'likes', 'profile', 'questions', 'dates', 'settings', 'standing'] as const
  for (const route of routes) expect(redirectFor(route, jun)).toBeNull()
})

test('only super administrators may open SuperiorAdmin; other signed-in people are redirected to /', () => {
  expect(redirectFor('SuperiorAdmin', jun)).toBe('/')
  expect(redirectFor('SuperiorAdmin', admin)).toBeNull()
})

test('suspended people are redirected to /standing from every screen that isn’t public', () => {
  for (const route of ['home', 'profile', 'settings'] as const) expect(redirectFor(route, jun, true)).toBe('/standing')
  expect(redirectFor('SuperiorAdmin', admin, true)).toBe('/standing')
  expect(redirectFor('standing', jun, true)).toBeNull()
  expect(redirectFor('standing', null)).toBe('/login')
  expect(redirectFor('login', jun, true)).toBeNull()
})

const guarded = (route: RouteName) => (
  <Route path="/home">
    <Guard route={route}>inside</Guard>
  </Route>
)

test('a signed-in person sees a guarded screen', async () => {
  signInAs(jun)
  await renderPage(guarded('home'))
  expect(screen.getByText('inside')).toBeTruthy()
})

test('signing out redirects to /login immediately', async () => {
  signInAs(jun)
  await renderPage(guarded('home'))
  signInAs(null)
  await screen.findByText('/login')
})

test.each([true, false])(
  'the requested address is stored for after sign-in only if the person arrived signed out (signed out: %s)',
  async (isVisitor) => {
    mockEndpoint('POST /api/user/signOut', () => ({ ok: true as const }))
    signInAs(isVisitor ? null : jun)
    sessionStorage.clear()
    await renderPage(guarded('home'), { path: '/home?tab=nearby' })
    if (!isVisitor) await act(() => useSession.getState().signOut())
    await screen.findByText('/login')
    signInAs(jun)
    expect(takeDestination()).toBe(isVisitor ? '/home?tab=nearby' : '/home')
  },
)
