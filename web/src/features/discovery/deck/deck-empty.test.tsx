import type { Deck } from '@duet/contract/discovery.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aDeck, aPool, aProfile, myDetails } from '../../../test/deck.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { renderPage } from '../../../test/render.tsx'
import HomeScreen from '../home-screen.tsx'

const texts = ['discovery', 'catalogue', 'profiles', 'places', 'common']
const ines = aProfile('Ines')
const wider = { item: 'distance' as const, adds: 20, changes: { maxDistanceKm: 50 as const } }

beforeEach(() => localStorage.clear())
afterEach(resetEndpoints)

async function draw(state: Deck['state'], details: Partial<MyDetails> = {}) {
  let mine = myDetails(details)
  mockEndpoint('GET /api/user/myDetails', () => mine)
  mockEndpoint('POST /api/pool', () => aPool({ both: 1, wideners: [wider] }))
  const saved = mockEndpoint('PATCH /api/user/updateUser', ({ body }) => {
    mine = { ...mine, ...(body as Partial<MyDetails>) }
    return mine
  })
  const asked = mockEndpoint('GET /api/deck', () => (saved.length > 0 ? aDeck([ines]) : aDeck([], { state })))
  return { ...(await renderPage(<HomeScreen />, { texts })), saved, asked }
}

// Must run first, before another test leaves a toast on screen.
test('Widening a filter can be undone', async () => {
  const { user, saved } = await draw('nobody_fits')
  await user.click(await screen.findByRole('button', { name: /Up to 50 km/ }))
  await screen.findByRole('article')
  const toast = await screen.findByText('Filters saved.')
  await user.click(toast.closest('li')?.querySelector('[data-button]') as Element)
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([{ maxDistanceKm: 50 }, { maxDistanceKm: 25 }]))
})

test('An empty deck suggests a filter change with the estimated number of people, and makes it', async () => {
  const { user, saved } = await draw('nobody_fits')
  expect(await screen.findByText('No one matches your filters and theirs right now.')).toBeTruthy()
  expect(await screen.findByText('fewer than 5')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /Up to 50 km about 20 more/ }))
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([{ maxDistanceKm: 50 }]))
  expect(await screen.findByRole('article', { name: 'Ines, 31' })).toBeTruthy()
})

test('After the last person, the deck leads to passes and people saved for later', async () => {
  await draw('seen_all')
  const passes = await screen.findByRole('link', { name: 'Review your passes' })
  // Wider distances come first, because they bring new people.
  const anywhere = screen.getByRole('button', { name: 'Look anywhere' })
  const wider = screen.getByRole('button', { name: 'Look within 100 km' })
  for (const offer of [anywhere, wider])
    expect(offer.compareDocumentPosition(passes) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  expect(screen.queryByText(/fit you both ways$/)).toBeNull()
  expect(screen.queryByLabelText('How many people fit')).toBeNull()
  expect(passes.getAttribute('href')).toBe('/likes?tab=passes')
  expect(screen.getByRole('link', { name: 'See who you saved' }).getAttribute('href')).toBe('/likes?tab=later')
})

test('After the last person, one tap widens the filters', async () => {
  const { user, saved } = await draw('seen_all')
  await user.click(await screen.findByRole('button', { name: 'Look anywhere' }))
  expect(await screen.findByRole('article', { name: 'Ines, 31' })).toBeTruthy()
  expect(saved.map(({ body }) => body)).toEqual([{ maxDistanceKm: null }])
})

test('A deck without a location offers to add one', async () => {
  const { user } = await draw('no_place', { area: null })
  await user.click(await screen.findByRole('button', { name: 'Add location' }))
  expect(await screen.findByRole('dialog', { name: 'Where are you?' })).toBeTruthy()
})

test('Paused people can show their profile again from the deck', async () => {
  const { user, saved } = await draw('paused', { paused: true })
  await user.click(await screen.findByRole('button', { name: 'Show me again' }))
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([{ paused: false }]))
  expect(await screen.findByRole('article')).toBeTruthy()
})

test('A deck that failed to load shows an error and can be retried', async () => {
  mockEndpoint('GET /api/user/myDetails', () => myDetails())
  mockEndpoint('POST /api/pool', () => aPool())
  mockEndpoint('GET /api/deck', () => problem(400, 'validation_failed'))
  const { user } = await renderPage(<HomeScreen />, { texts })
  const retry = await screen.findByRole('button', { name: 'Retry' })
  mockEndpoint('GET /api/deck', () => aDeck([ines]))
  await user.click(retry)
  expect(await screen.findByRole('article')).toBeTruthy()
})

test('A deck without a connection shows an error instead of waiting', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await draw('ready')
  expect(await screen.findByText(/You’re offline/)).toBeTruthy()
})
