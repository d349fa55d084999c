import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import ModerationScreen from './moderation-screen.tsx'

beforeEach(() => {
  signInAs({ ...jun, isSuperAdmin: true })
  mockEndpoint('GET /api/admin/photos', () => ({ photos: [], nextCursor: null }))
  mockEndpoint('GET /api/admin/models', () => ({
    models: [{ version: 0, trainedAt: null, active: true, metrics: {} }],
  }))
  mockEndpoint('GET /api/admin/settings', () => ({ dailyLikes: 100 }))
})
afterEach(resetEndpoints)

const draw = (path = '/admin') => renderPage(<ModerationScreen />, { path, texts: ['moderation', 'insights'] })
const title = (name: string) => screen.findByRole('heading', { level: 1, name })

test('begins with the photos that wait', async () => {
  await draw()
  await title('Moderation')
  expect(await screen.findByText('No photo is waiting. You are done for now.')).toBeTruthy()
})

test('leads to its other parts and back, each with an address of its own', async () => {
  const { user } = await draw()
  const parts = within(await screen.findByRole('navigation', { name: 'Administration' }))
  expect(parts.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Photos',
    'Reports',
    'Verification',
    'Insights',
    'People',
    'Models',
    'Settings',
  ])
  await user.click(parts.getByRole('link', { name: 'Models' }))
  await title('Models')
  expect(screen.getByTestId('address').textContent).toBe('/admin?view=models')
  expect(parts.getByRole('link', { name: 'Models' }).getAttribute('aria-current')).toBe('page')
  await user.click(parts.getByRole('link', { name: 'Photos' }))
  await title('Moderation')
})

test('opens at a part, and at the photos for one that it does not have', async () => {
  const { unmount } = await draw('/admin?view=settings')
  await title('Settings')
  unmount()
  await draw('/admin?view=secrets')
  await title('Moderation')
})
