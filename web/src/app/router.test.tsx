import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { navigate } from '../platform/address/address.tsx'
import { mockEndpoint, problem, resetEndpoints } from '../test/mock-endpoint.ts'
import { renderPage, signInAs } from '../test/render.tsx'
import { PageTitle, WaitingCount } from '../ui/page-title.tsx'
import { Pages } from './router.tsx'

// The first import is slow, so it runs before the tests, where their timeouts don't apply.
beforeAll(() => import('../features/matching/matching-screen.tsx'))
beforeEach(() => signInAs(null))
afterEach(resetEndpoints)

async function expectToEndAt(path: string, end: string) {
  await renderPage(<Pages />, { path, texts: ['entry', 'terms', 'accounts', 'matching'] })
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe(end))
}

test.each(['/', '/home', '/likes', '/profile/u_jun', '/chat/u_jun', '/settings', '/admin', '/nowhere'])(
  'a visitor who opens %s ends up at /login',
  async (path) => {
    await expectToEndAt(path, '/login')
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy()
  },
)

test('a visitor may read the terms', async () => {
  await expectToEndAt('/terms', '/terms')
  expect(await screen.findByRole('heading', { name: 'Terms and privacy' })).toBeTruthy()
})

test('the tab’s title names the screen', async () => {
  await expectToEndAt('/login', '/login')
  await waitFor(() => expect(document.title).toBe('Sign in · Duet'))
  act(() => navigate('/terms'))
  await waitFor(() => expect(document.title).toBe('Terms and privacy · Duet'))
})

test('the tab’s title shows the number of unread messages', async () => {
  const page = (count: number) => (
    <WaitingCount value={count}>
      <PageTitle>Chats</PageTitle>
    </WaitingCount>
  )
  const { rerender } = render(page(2))
  await waitFor(() => expect(document.title).toBe('(2) Chats · Duet'))
  rerender(page(0))
  await waitFor(() => expect(document.title).toBe('Chats · Duet'))
})

test('a visitor may read how matching works', async () => {
  mockEndpoint('GET /api/matching', () => problem(400, 'malformed'))
  await expectToEndAt('/how-matching-works', '/how-matching-works')
  expect(await screen.findByRole('heading', { name: 'How matching works' })).toBeTruthy()
})

test('a visitor may sign up', async () => {
  await expectToEndAt('/signup', '/signup')
  expect(await screen.findByRole('button', { name: 'Continue' })).toBeTruthy()
})

test('the design system page exists only in demo mode', async () => {
  await expectToEndAt('/dev/ui', '/login')
})
