import type { SessionView } from '@duet/contract/accounts.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useSession } from '../../platform/session.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { SessionsList } from './sessions-list.tsx'

afterEach(resetEndpoints)

const session = (id: string, device: string, current: boolean): SessionView => ({
  ...{ id, device, current },
  ...{ createdAt: '2026-10-01T12:00:00.000Z', lastSeenAt: '2026-10-02T12:00:00.000Z' },
})

async function draw(...sessions: SessionView[]) {
  signInAs(jun)
  mockEndpoint('GET /api/user/sessions', () => ({ sessions }))
  const { user } = await renderPage(<SessionsList />, { texts: ['accounts'] })
  await screen.findByText('Firefox · Linux')
  return user
}

it('Signing out everywhere asks once and includes this device', async () => {
  const user = await draw(session('a', 'Firefox · Linux', true), session('b', 'Safari · iPhone', false))
  const calls = mockEndpoint('POST /api/user/signOutEverywhere', () => ({ ok: true }))
  mockEndpoint('POST /api/user/signOut', () => problem(401, 'unauthenticated'))
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }))
  expect(calls).toEqual([])
  const dialog = await screen.findByRole('dialog', { name: 'Sign out everywhere?' })
  await user.click(dialog.querySelectorAll('button').item(dialog.querySelectorAll('button').length - 1))
  await waitFor(() => expect(useSession.getState().user).toBeNull())
  expect(calls).toHaveLength(1)
})

it('A failed sign-out everywhere leaves me signed in', async () => {
  const user = await draw(session('a', 'Firefox · Linux', true), session('b', 'Safari · iPhone', false))
  mockEndpoint('POST /api/user/signOutEverywhere', () => problem(503, 'unavailable'))
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }))
  const dialog = await screen.findByRole('dialog', { name: 'Sign out everywhere?' })
  await user.click(dialog.querySelectorAll('button').item(dialog.querySelectorAll('button').length - 1))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(useSession.getState().user?.id).toBe(jun.id)
})

it('Signing out everywhere isn’t offered with a single session', async () => {
  await draw(session('a', 'Firefox · Linux', true))
  expect(screen.queryByRole('button', { name: 'Sign out everywhere' })).toBeNull()
})
