import type { NotificationPreferences } from '@duet/contract/notifications.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { renderPage } from '../../test/render.tsx'
import { useChangePreferences, usePreferences } from './push.api.ts'
import { TopicsTable } from './topics-table.tsx'

const preferences: NotificationPreferences = {
  inApp: { match: true, message: true, like: true, nearby: true },
  push: { match: true, message: true, like: false, nearby: false, safety: true, account: false },
  email: { match: 'now', message: 'now', like: 'daily', nearby: 'daily', safety: 'now', account: 'daily' },
  lockScreen: 'nothing',
  quietHours: null,
  timeZone: 'UTC',
}

afterEach(resetEndpoints)

async function draw(given: NotificationPreferences) {
  const onChange = vi.fn()
  await renderPage(<TopicsTable preferences={given} onChange={onChange} />, { texts: ['push'] })
  const likes = within(screen.getByRole('group', { name: 'Likes' }))
  return { onChange, likes }
}

test('Each switch or menu reports only its own topic and channel', async () => {
  const { onChange, likes } = await draw(preferences)
  await userEvent.click(likes.getByRole('switch', { name: 'In the app' }))
  await userEvent.click(likes.getByRole('switch', { name: 'Devices' }))
  await userEvent.selectOptions(likes.getByRole('combobox', { name: 'Email' }), 'Never')
  expect(onChange.mock.calls).toEqual([
    [{ inApp: { like: false } }],
    [{ push: { like: true } }],
    [{ email: { like: 'never' } }],
  ])
})

test('Notifications about safety and the account always show in the app', async () => {
  await draw(preferences)
  for (const name of ['Check-ins and new sign-ins', 'Your account']) {
    const group = within(screen.getByRole('group', { name }))
    expect(group.queryByRole('switch', { name: 'In the app' })).toBeNull()
    expect(group.getAllByText('Always')).toHaveLength(name === 'Your account' ? 1 : 2)
  }
})

test('Notifications about safety are always emailed', async () => {
  await draw(preferences)
  const group = within(screen.getByRole('group', { name: 'Check-ins and new sign-ins' }))
  expect(group.queryByRole('combobox', { name: 'Email' })).toBeNull()
})

test('A topic that an older server doesn’t send is on', async () => {
  const { inApp: _, ...before } = preferences
  const { likes } = await draw(before as NotificationPreferences)
  expect(likes.getByRole('switch', { name: 'In the app' })).toHaveProperty('checked', true)
})

function Page() {
  const { data } = usePreferences()
  const onChange = useChangePreferences('Not saved')
  return data ? <TopicsTable preferences={data} onChange={onChange} /> : null
}

test('Saving a switch keeps what another device has changed in the meantime', async () => {
  let stored = preferences
  mockEndpoint('GET /api/notifications/preferences', () => stored)
  const sent = mockEndpoint('PUT /api/notifications/preferences', ({ body }) => body as NotificationPreferences)
  await renderPage(<Page />, { texts: ['push'] })
  const likes = within(await screen.findByRole('group', { name: 'Likes' }))
  stored = { ...preferences, push: { ...preferences.push, match: false } }
  await userEvent.click(likes.getByRole('switch', { name: 'Devices' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toMatchObject({ push: { match: false, like: true } })
})

test('When the first of two changes is refused, the table shows what the server has stored', async () => {
  let stored = preferences
  const answers: (() => void)[] = []
  mockEndpoint('GET /api/notifications/preferences', () => stored)
  const sent = mockEndpoint('PUT /api/notifications/preferences', async ({ body }) => {
    const isFirst = sent.length === 1
    await new Promise<void>((done) => answers.push(done))
    if (isFirst) return problem(503, 'unavailable')
    stored = body as NotificationPreferences
    return stored
  })
  await renderPage(<Page />, { texts: ['push'] })
  const device = (name: string) =>
    within(screen.getByRole('group', { name })).getByRole('switch', { name: 'Devices' }) as HTMLInputElement
  await waitFor(() => expect(device('Likes').checked).toBe(false))
  await userEvent.click(device('Likes'))
  await userEvent.click(device('Matches'))
  await waitFor(() => expect([device('Likes').checked, device('Matches').checked]).toEqual([true, false]))
  for (const nth of [0, 1]) {
    await waitFor(() => expect(answers).toHaveLength(nth + 1))
    await act(async () => answers[nth]?.())
  }
  await waitFor(() => expect(stored).not.toBe(preferences))
  expect(stored.push).toEqual({ ...preferences.push, match: false })
  await waitFor(() => expect([device('Likes').checked, device('Matches').checked]).toEqual([false, false]))
})
