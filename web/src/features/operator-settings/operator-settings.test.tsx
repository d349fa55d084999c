import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { OperatorSettingsView } from './operator-settings.tsx'

beforeEach(() => signInAs({ ...jun, isSuperAdmin: true }))
afterEach(resetEndpoints)

const draw = (dailyLikes: number | null) => {
  mockEndpoint('GET /api/admin/settings', () => ({ dailyLikes }))
  return renderPage(<OperatorSettingsView />, { texts: ['insights', 'ui'] })
}
const changes = () => mockEndpoint('PATCH /api/admin/settings', ({ body }) => body as { dailyLikes: number | null })
const field = () => screen.findByRole('textbox', { name: 'Likes per person per day' })
const save = () => screen.getByRole('button', { name: 'Save' })

test('The limit of likes can be changed', async () => {
  const sent = changes()
  const { user } = await draw(100)
  await user.clear(await field())
  await user.type(await field(), '40')
  await user.click(save())
  expect(sent.map(({ body }) => body)).toEqual([{ dailyLikes: 40 }])
})

test('The limit of likes can be removed and set again', async () => {
  const sent = changes()
  const { user } = await draw(25)
  const limit = await screen.findByRole('switch', { name: /Limit likes per day/ })
  await user.click(limit)
  expect(screen.queryByRole('textbox')).toBeNull()
  await user.click(save())
  await user.click(limit)
  await user.click(save())
  expect(sent.map(({ body }) => body)).toEqual([{ dailyLikes: null }, { dailyLikes: 25 }])
})

test.each(['', '0', '1001', '2.5', 'many'])(
  '“%s” is rejected as a limit with an error, and stays in the field',
  async (text) => {
    const sent = changes()
    const { user } = await draw(100)
    await user.clear(await field())
    if (text) await user.type(await field(), text)
    await user.click(save())
    expect(screen.getByText('Enter a whole number from 1 to 1000.')).toBeTruthy()
    expect(await field()).toHaveProperty('value', text)
    expect(sent).toEqual([])
  },
)

test('An edited limit doesn’t overwrite one that another administrator saved meanwhile', async () => {
  const sent = changes()
  const { user, queryClient } = await draw(100)
  await user.type(await field(), '0')
  mockEndpoint('GET /api/admin/settings', () => ({ dailyLikes: 60 }))
  await act(() => queryClient.invalidateQueries())
  await user.click(save())
  expect(sent).toEqual([])
  await user.click(await screen.findByRole('button', { name: 'Use this' }))
  expect(await field()).toHaveProperty('value', '60')
})

test('Settings that can’t be loaded can be requested again', async () => {
  mockEndpoint('GET /api/admin/settings', () => problem(503, 'unavailable'))
  const { user } = await renderPage(<OperatorSettingsView />, { texts: ['insights'] })
  const retry = await screen.findByRole('button', { name: 'Retry' })
  mockEndpoint('GET /api/admin/settings', () => ({ dailyLikes: 9 }))
  await user.click(retry)
  expect(await field()).toHaveProperty('value', '9')
})
