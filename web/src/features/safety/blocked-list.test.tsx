import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { BlockedList } from './blocked-list.tsx'

beforeEach(() => signInAs(jun))
afterEach(resetEndpoints)

test('Blocks of erased accounts have dates instead of names, and can be ended', async () => {
  const erased = (id: string, since: string) => ({ id, name: '', erased: true, since })
  let users = [erased('u_maya', '2026-05-01T12:00:00Z'), erased('u_ana', '2026-03-02T12:00:00Z')]
  mockEndpoint('GET /api/blocks', () => ({ users }))
  mockEndpoint('DELETE /api/blocks/:userId', ({ url }) => {
    users = users.filter(({ id }) => !url.pathname.endsWith(id))
    return { ok: true }
  })
  const { user } = await renderPage(<BlockedList />, { texts: ['safety'] })
  await user.click(await screen.findByRole('button', { name: 'Unblock Deleted account, blocked May 1, 2026' }))
  await waitFor(() => expect(screen.queryByText('Blocked May 1, 2026')).toBeNull())
  expect(screen.getByText('Blocked Mar 2, 2026')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Unblock Deleted account, blocked Mar 2, 2026' }))
  expect(await screen.findByText('You haven’t blocked anyone.')).toBeTruthy()
})
