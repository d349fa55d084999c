import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useDossier } from '../features/moderation/moderation.api.ts'
import { useNotifications } from '../features/notifications/notifications.api.ts'
import { mockEndpoint, resetEndpoints } from '../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../test/render.tsx'
import { refetchAll } from './realtime.tsx'

afterEach(resetEndpoints)

function Screen() {
  const { data: dossier } = useDossier('u_maya', 'a report')
  const { data: list } = useNotifications()
  return dossier && list ? 'read' : null
}

test('a reconnect refetches every query except a moderator’s view that the server puts on record', async () => {
  signInAs(jun)
  const looks = mockEndpoint('GET /api/admin/dossiers/:userId', () => ({ name: 'Maya' }) as never)
  const lists = mockEndpoint('GET /api/notifications', () => ({ notifications: [] }))
  const { queryClient } = await renderPage(<Screen />)
  await screen.findByText('read')
  refetchAll(queryClient)
  await waitFor(() => expect(lists).toHaveLength(2))
  expect(looks).toHaveLength(1)
})
