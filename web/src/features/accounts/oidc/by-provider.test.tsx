import { screen, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSession } from '../../../platform/session.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import LoginScreen from '../login-screen.tsx'
import ByProvider from './by-provider.tsx'

const code = 'A'.repeat(43)
let mark: HTMLMetaElement
beforeEach(() => {
  sessionStorage.clear()
  signInAs(null)
  mark = document.createElement('meta')
  Object.assign(mark, { name: 'duet-oidc', content: 'Chess Club' })
  document.head.append(mark)
})
afterEach(() => {
  mark.remove()
  resetEndpoints()
  vi.unstubAllGlobals()
})

const draw = (hash = '') => renderPage(<LoginScreen />, { path: `/login${hash}`, texts: ['entry', 'welcome', 'oidc'] })
const button = () => screen.findByRole('button', { name: 'Sign in with Chess Club' })

test('Without a provider there is no button for one', async () => {
  mark.content = ''
  await draw()
  expect(screen.queryByRole('button', { name: /Sign in with/ })).toBeNull()
})

test('The button passes on whether to stay signed in, and reports a provider that doesn’t answer', async () => {
  const starts = mockEndpoint('POST /api/user/oidc/start', () => problem(503, 'unavailable'))
  const { user } = await draw()
  await user.click(screen.getByRole('checkbox', { name: 'Stay signed in on this device' }))
  await user.click(await button())
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Chess Club isn’t answering/)
  expect(starts[0]?.body).toEqual({ staySignedIn: true })
})

test('The provider’s code signs in and is removed from the address', async () => {
  const finished = mockEndpoint('POST /api/user/oidc/finish', () => jun)
  await draw(`#oidc=${code}`)
  await screen.findByText('/home')
  expect(finished.map(({ body }) => body)).toEqual([{ code }])
  expect(window.location.hash).toBe('')
  expect(useSession.getState().user).toEqual(jun)
})

let loading: Promise<void> | undefined
let isLoaded = false
function Late() {
  loading ??= Promise.resolve().then(() => {
    isLoaded = true
  })
  if (!isLoaded) throw loading
  return null
}

test('A failed provider sign-in is reported even if the screen suspends before it shows', async () => {
  await renderPage(
    <Suspense>
      <ByProvider stays={false} />
      <Late />
    </Suspense>,
    { path: '/login#oidc-failed=denied', texts: ['entry', 'oidc'] },
  )
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Chess Club didn’t sign you in/)
})

test('A provider sign-in without an account leads to sign-up with the email address already verified', async () => {
  mockEndpoint('POST /api/user/oidc/finish', () => ({ needsSignUp: true as const, email: 'ana@example.org' }))
  await draw(`#oidc=${code}`)
  await screen.findByText('/signup?step=name')
  const kept = JSON.parse(sessionStorage.getItem('entry') ?? '{}').draft
  expect(kept).toMatchObject({ email: 'ana@example.org', providerCode: code, isProven: true })
})

test.each([
  ['denied', /^Chess Club didn’t sign you in/],
  ['unverified', /hasn’t confirmed your email/],
  ['<b>', null],
  ['nonsense', /^Signing in with Chess Club didn’t work/],
])('A failed return from the provider (%s) is explained', async (reason, words) => {
  await draw(`#oidc-failed=${reason}`)
  await button()
  if (words) expect(screen.getByRole('alert').textContent).toMatch(words)
  else expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  [401, 'invalid_credentials', /took too long/],
  [403, 'forbidden', /^Administrators can’t/],
  [409, 'conflict', /you removed it/],
] as const)('A provider sign-in refused with %s is explained', async (status, refusal, words) => {
  mockEndpoint('POST /api/user/oidc/finish', () => problem(status, refusal))
  await draw(`#oidc=${code}`)
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(words))
  expect(await button()).toHaveProperty('disabled', false)
})
