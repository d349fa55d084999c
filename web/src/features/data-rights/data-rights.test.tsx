import type { Consent, Export } from '@duet/contract/data-rights.ts'
import type { SharedDate } from '@duet/contract/dates.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { StepUpHost } from '../accounts/accounts.ts'
import { YourDataSection } from './data-rights.tsx'
import { LeavingScreen } from './leaving-screen.tsx'

const none: Export = { state: 'none', progress: 0, url: null, expiresAt: null, bytes: null }
const at = '2026-03-01T10:00:00.000Z'
const consent = (purpose: Consent['purpose'], granted: boolean): Consent => ({ purpose, version: '1', granted, at })

beforeEach(() => {
  signInAs(jun)
  mockEndpoint('GET /api/dates', () => ({ dates: [] }))
  mockEndpoint('GET /api/export', () => none)
  mockEndpoint('GET /api/consents', () => ({
    consents: [
      consent('terms', true),
      consent('sensitive', true),
      consent('location', true),
      consent('learning', false),
    ],
  }))
})
afterEach(resetEndpoints)

const texts = ['data-rights', 'ui', 'common']
const draw = () => renderPage(<YourDataSection />, { texts })

test('An export can be requested, followed and downloaded', async () => {
  let told: Export = none
  mockEndpoint('GET /api/export', () => told)
  const asked = mockEndpoint('POST /api/export', () => {
    told = { ...none, state: 'working', progress: 0.4 }
    return told
  })
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Prepare download' }))
  expect(asked[0]?.body).toEqual({ language: 'en' })
  const bar = await screen.findByRole('progressbar', { name: 'Preparing your download' })
  expect(bar.getAttribute('aria-valuenow')).toBe('40')
  told = { state: 'ready', progress: 1, url: '/media/exports/x.zip?s', expiresAt: at, bytes: 2_340_000 }
  const link = await screen.findByRole('link', { name: 'Download' })
  expect(link.getAttribute('href')).toBe('/media/exports/x.zip?s')
  expect(screen.getByText(/2\.3 MB, available until/)).toBeTruthy()
})

test('Downloading a finished export needs a fresh proof of identity', async () => {
  const readyOne: Export = { state: 'ready', progress: 1, url: null, expiresAt: at, bytes: 2_340_000 }
  let told = readyOne
  mockEndpoint('GET /api/export', () => told)
  const { user } = await renderPage(
    <>
      <YourDataSection />
      <StepUpHost />
    </>,
    { texts: [...texts, 'accounts'] },
  )
  const prove = await screen.findByRole('button', { name: /Confirm it.s you to download/ })
  expect(screen.queryByRole('link', { name: 'Download' })).toBeNull()
  await user.click(prove)
  expect(await screen.findByRole('dialog', { name: 'Confirm it’s you' })).toBeTruthy()
  // The person has since confirmed their identity elsewhere in this session, so the next response includes the URL.
  told = { ...readyOne, url: '/media/exports/x.zip?s' }
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: /Confirm it.s you to download/ }))
  expect((await screen.findByRole('link', { name: 'Download' })).getAttribute('href')).toBe(told.url)
})

test('A failed export can be requested again, and the limit of one a day is explained', async () => {
  mockEndpoint('GET /api/export', () => ({ ...none, state: 'failed' as const }))
  mockEndpoint('POST /api/export', () => problem(429, 'rate_limited'))
  const { user } = await draw()
  expect((await screen.findByRole('alert')).textContent).toContain('couldn’t be prepared')
  await user.click(screen.getByRole('button', { name: 'Prepare download' }))
  expect(await screen.findByText(/once a day/)).toBeTruthy()
})

test('Granting a consent takes effect immediately', async () => {
  const puts = mockEndpoint('PUT /api/consents', ({ body }) => {
    const { purpose, granted } = body as { purpose: Consent['purpose']; granted: boolean }
    return { consents: [consent(purpose, granted)] }
  })
  const { user } = await draw()
  const place = await screen.findByRole('switch', { name: /Your location/ })
  expect((place as HTMLInputElement).checked).toBe(true)
  await user.click(screen.getByRole('switch', { name: /Learning/ }))
  await waitFor(() => expect(puts[0]?.body).toEqual({ purpose: 'learning', granted: true }))
})

test('Withdrawing the location consent explains the loss and needs a confirmation', async () => {
  const puts = mockEndpoint('PUT /api/consents', () => ({ consents: [consent('location', false)] }))
  const { user } = await draw()
  await user.click(await screen.findByRole('switch', { name: /Your location/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove your location?' })
  expect(dialog.textContent).toContain('no one finds you')
  expect(puts).toHaveLength(0)
  await user.click(within(dialog).getByRole('button', { name: 'Remove my location' }))
  await waitFor(() => expect(puts[0]?.body).toEqual({ purpose: 'location', granted: false }))
})

test('Deleting the account needs a confirmation that lists the consequences', async () => {
  const erased = mockEndpoint('POST /api/erasure', () => ({ eraseAt: at }))
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Delete my account' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' })
  expect(within(dialog).getAllByRole('listitem')).toHaveLength(5)
  await user.click(within(dialog).getByRole('button', { name: 'Keep my account' }))
  expect(erased).toHaveLength(0)
  await user.click(screen.getByRole('button', { name: 'Delete my account' }))
  const again = await screen.findByRole('dialog', { name: 'Delete your account?' })
  await user.click(within(again).getByRole('button', { name: 'Delete my account' }))
  await waitFor(() => expect(erased).toHaveLength(1))
})

test('Cancelling the erasure confirms it even if the screen unmounts before everything is refetched', async () => {
  mockEndpoint('DELETE /api/erasure', () => ({ eraseAt: null }))
  const { user, unmount } = await renderPage(<LeavingScreen eraseAt={at} />, { texts })
  await screen.findByRole('button', { name: 'Prepare download' })
  let answer: (told: Export) => void = () => undefined
  const read = mockEndpoint(
    'GET /api/export',
    () =>
      new Promise<Export>((resolve) => {
        answer = resolve
      }),
  )
  await user.click(screen.getByRole('button', { name: 'Keep my account' }))
  await waitFor(() => expect(read).toHaveLength(1))
  unmount()
  answer(none)
  expect(await screen.findByText(/Welcome back/)).toBeTruthy()
})

test('A person whose account will be erased sees the date and can cancel', async () => {
  const undone = mockEndpoint('DELETE /api/erasure', () => ({ eraseAt: null }))
  const eraseAt = new Date(Date.now() + 3 * 86_400_000 - 60_000).toISOString()
  const { user } = await renderPage(<LeavingScreen eraseAt={eraseAt} />, { texts })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^Your account will be deleted on \w+ \d+/)
  expect(screen.getByText(/You have 3 days left/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Keep my account' }))
  await waitFor(() => expect(undone).toHaveLength(1))
  expect(await screen.findByText(/Welcome back/)).toBeTruthy()
})

test('People whose account will be erased can check in to the dates they still share', async () => {
  const date: SharedDate = {
    ...{ id: 'd1', url: 'http://localhost/date/secret', with: null, withName: 'Ben', place: 'Park', at, note: '' },
    ...{ checkInMinutes: 60, checkInAt: at, checkIn: 'due', checkedInAt: null, expiresAt: at },
    ...{ contactEmail: 'ana@example.org', contactToldAt: null, contactUntold: false },
  }
  mockEndpoint('GET /api/dates', () => ({ dates: [date] }))
  const answered = mockEndpoint('POST /api/dates/:id/checkIn', () => ({
    dates: [{ ...date, checkIn: 'checked_in' as const, checkedInAt: at }],
  }))
  const { user } = await renderPage(<LeavingScreen eraseAt={at} />, { texts: [...texts, 'dates'] })
  await user.click(await screen.findByRole('button', { name: 'I’m OK' }))
  expect(await screen.findByText(/You checked in at/)).toBeTruthy()
  expect(answered).toHaveLength(1)
})
