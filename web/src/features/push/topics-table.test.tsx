import type { NotificationPreferences } from '@duet/contract/notifications.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { TopicsTable } from './topics-table.tsx'

const preferences: NotificationPreferences = {
  inApp: { match: true, message: true, like: true, nearby: true },
  push: { match: true, message: true, like: false, nearby: false, safety: true, account: false },
  email: { match: 'now', message: 'now', like: 'daily', nearby: 'daily', safety: 'now', account: 'daily' },
  lockScreen: 'nothing',
  quietHours: null,
  timeZone: 'UTC',
}

async function draw(given: NotificationPreferences) {
  const onChange = vi.fn()
  await renderPage(<TopicsTable preferences={given} onChange={onChange} />, { texts: ['push'] })
  const likes = within(screen.getByRole('group', { name: 'Likes' }))
  return { onChange, likes }
}

test('each topic is chosen for each place, and the other topics stay as they are', async () => {
  const { onChange, likes } = await draw(preferences)
  await userEvent.click(likes.getByRole('switch', { name: 'In the app' }))
  await userEvent.click(likes.getByRole('switch', { name: 'Devices' }))
  await userEvent.selectOptions(likes.getByRole('combobox', { name: 'Email' }), 'Never')
  expect(onChange.mock.calls).toEqual([
    [{ inApp: { ...preferences.inApp, like: false } }],
    [{ push: { ...preferences.push, like: true } }],
    [{ email: { ...preferences.email, like: 'never' } }],
  ])
})

test('what is about safety and the account is always in the app', async () => {
  await draw(preferences)
  for (const name of ['Check-ins and new sign-ins', 'Your account']) {
    const group = within(screen.getByRole('group', { name }))
    expect(group.queryByRole('switch', { name: 'In the app' })).toBeNull()
    expect(group.getAllByText('Always')).toHaveLength(name === 'Your account' ? 1 : 2)
  }
})

test('What is about safety is always mailed', async () => {
  await draw(preferences)
  const group = within(screen.getByRole('group', { name: 'Check-ins and new sign-ins' }))
  expect(group.queryByRole('combobox', { name: 'Email' })).toBeNull()
})

test('what a Duet of before the update does not say is on', async () => {
  const { inApp: _, ...before } = preferences
  const { likes } = await draw(before as NotificationPreferences)
  expect(likes.getByRole('switch', { name: 'In the app' })).toHaveProperty('checked', true)
})
