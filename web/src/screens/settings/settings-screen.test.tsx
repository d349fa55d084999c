import type { MyDetails } from '@duet/contract/profiles.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Route } from 'wouter'
import { mockEndpoint, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { namesOfSettings } from './find-settings.ts'
import { settings } from './sections.ts'
import SettingsScreen from './settings-screen.tsx'

const details = { id: jun.id, photos: [], readReceipts: true, paused: false, learnFromMe: true }

beforeEach(() => {
  signInAs(jun)
  Element.prototype.scrollIntoView = () => undefined
  mockEndpoint('GET /api/user/myDetails', () => details as unknown as MyDetails)
  mockEndpoint('GET /api/user/access', () => ({ email: jun.email, hasPassword: false, recoveryCodesLeft: 0 }))
  mockEndpoint('GET /api/user/passkeys', () => ({ passkeys: [] }))
  mockEndpoint('GET /api/user/identities', () => ({ identities: [] }))
  mockEndpoint('GET /api/user/sessions', () => ({ sessions: [] }))
  mockEndpoint('GET /api/verification', () => ({ state: 'none' }))
  mockEndpoint('GET /api/push', () => ({ publicKey: null, devices: [] }))
  mockEndpoint('GET /api/notifications/preferences', () => ({
    inApp: { match: true, message: true, like: true, nearby: true },
    push: { match: true, message: true, like: false, nearby: false, safety: true, account: false },
    email: { match: 'now', message: 'now', like: 'daily', nearby: 'daily', safety: 'now', account: 'daily' },
    lockScreen: 'nothing',
    quietHours: null,
    timeZone: 'UTC',
  }))
  mockEndpoint('GET /api/blocks', () => ({ users: [] }))
  mockEndpoint('GET /api/reports', () => ({ reports: [] }))
  mockEndpoint('GET /api/standing', () => ({ standing: 'good', until: null, sanctions: [] }))
  mockEndpoint('GET /api/mail', () => ({ unreachableSince: null, stopped: [] }))
  mockEndpoint('GET /api/export', () => ({ state: 'none', progress: 0, url: null, expiresAt: null, bytes: null }))
  mockEndpoint('GET /api/consents', () => ({
    consents: (['sensitive', 'location', 'learning'] as const).map((purpose) => ({
      purpose,
      version: '1',
      granted: true,
      at: null,
    })),
  }))
})
afterEach(() => {
  resetEndpoints()
  vi.unstubAllGlobals()
})

async function visit(path: string, { wide = false } = {}) {
  const query = { matches: wide, addEventListener: () => undefined, removeEventListener: () => undefined }
  vi.stubGlobal('matchMedia', () => query)
  const page = await renderPage(
    <Route path="/settings/:section?">
      <SettingsScreen />
    </Route>,
    { path, texts: ['own-settings', 'entry', 'safety', ...namesOfSettings] },
  )
  return { ...page, title: (name: string) => screen.findByRole('heading', { level: 1, name }) }
}
const address = () => window.location.pathname + window.location.hash

test('a phone lists the settings sections, each opens as a screen, and leaving it adds no history entry', async () => {
  const { user, title } = await visit('/settings')
  await title('Settings')
  const list = within(screen.getByRole('navigation', { name: 'Settings sections' }))
  expect(list.getAllByRole('link')).toHaveLength(7)
  await user.click(list.getByRole('link', { name: /^Appearance/ }))
  await title('Appearance')
  expect(address()).toBe('/settings/appearance')
  await user.click(screen.getByRole('link', { name: 'Settings' }))
  await title('Settings')
  expect([address(), window.history.state]).toEqual(['/settings', null])
})

test('a wide window opens the Account section and shows the list beside each section', async () => {
  const { user, title } = await visit('/settings', { wide: true })
  await title('Account')
  expect(address()).toBe('/settings/account')
  const list = within(screen.getByRole('navigation', { name: 'Settings sections' }))
  await user.click(list.getByRole('link', { name: 'Notifications' }))
  await title('Notifications')
  expect(list.getByRole('link', { name: 'Notifications' }).getAttribute('aria-current')).toBe('page')
})

test('choosing a search result opens, highlights and focuses the setting', async () => {
  const { user, title } = await visit('/settings/account', { wide: true })
  await user.type(screen.getByRole('searchbox', { name: 'Search settings' }), 'incog{Enter}')
  await title('Privacy')
  expect(address()).toBe('/settings/privacy#incognito')
  await waitFor(() => expect(document.querySelector('[data-found]')?.textContent).toContain('Incognito'))
  expect(document.activeElement?.textContent).toContain('Incognito')
  expect(screen.getByRole('searchbox')).toHaveProperty('value', '')
})

test('old hashes and unknown sections redirect to existing screens', async () => {
  const old = await visit('/settings#hiddenWords')
  await old.title('Privacy')
  expect(address()).toBe('/settings/privacy#hiddenWords')
  old.unmount()
  const none = await visit('/settings/nowhere')
  await none.title('Settings')
  expect(address()).toBe('/settings')
})

test('every setting that a search can find is on the screen of its section', async () => {
  for (const section of new Set(settings.map((setting) => setting.section))) {
    const { unmount } = await visit(`/settings/${section}`)
    for (const { id } of settings.filter((setting) => setting.section === section))
      await waitFor(() => expect(document.getElementById(id), id).not.toBeNull())
    unmount()
  }
})
