import type { MyDetails, ProfileCard } from '@duet/contract/profiles.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { AddressBar } from '../../platform/address/address.tsx'
import { preloadTexts, startI18n } from '../../platform/i18n.ts'
import { offlineProblem } from '../../platform/problem.ts'

const call = vi.fn()
vi.mock('../../platform/call.ts', () => ({ call }))
const { default: Nearby } = await import('./nearby.tsx')

const me = { area: 'Berlin', maxDistanceKm: 25, interests: ['cats'] } as unknown as MyDetails
const ines = {
  ...{ id: 'ines', name: 'Ines', age: 31, images: [], photos: [], distanceKm: 5, area: 'Berlin', bio: '' },
  ...{ interests: ['cats', 'dogs'], active: 'today', verified: false, reasons: [], why: [] },
} as ProfileCard

beforeEach(async () => {
  call.mockReset()
  await startI18n('en')
  await preloadTexts('discovery', 'catalogue', 'places')
})

function show(details: MyDetails, onFilter = vi.fn()) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={queryClient}>
      <AddressBar>
        <Nearby details={details} onFilter={onFilter} />
      </AddressBar>
    </QueryClientProvider>,
  )
}

it('A nearby card shows the person, the distance and the shared interests', async () => {
  call.mockResolvedValue({ users: [ines], nextCursor: null })
  show(me)
  const card = await screen.findByRole('link', { name: /Ines 31/ })
  expect(card.getAttribute('href')).toBe('/profile/ines')
  expect(card.textContent).toContain('within 5 km')
  expect(card.textContent).toContain('1 shared interest')
  expect(screen.getByRole('img', { name: 'Active today' })).toBeTruthy()
})

it('Nearby offers to add a location to people who have none', async () => {
  call.mockResolvedValue({ users: [], nextCursor: null })
  show({ ...me, area: null })
  expect(await screen.findByRole('button', { name: 'Add location' })).toBeTruthy()
})

it('Nearby without people offers the next distance and saves it', async () => {
  call.mockResolvedValue({ users: [], nextCursor: null })
  show(me)
  await userEvent.click(await screen.findByRole('button', { name: 'Look within 50 km' }))
  expect(call).toHaveBeenCalledWith('PATCH /api/user/updateUser', { body: { maxDistanceKm: 50 } })
})

it('A distance that can’t be saved shows an error', async () => {
  call.mockResolvedValueOnce({ users: [], nextCursor: null }).mockRejectedValue(offlineProblem())
  show(me)
  await userEvent.click(await screen.findByRole('button', { name: 'Look within 50 km' }))
  expect((await screen.findByRole('alert')).textContent).toBe('That couldn’t be saved. Please try again.')
})

it('Nearby offers the filters when nobody matches at any distance', async () => {
  call.mockResolvedValue({ users: [], nextCursor: null })
  const onFilter = vi.fn()
  show({ ...me, maxDistanceKm: null }, onFilter)
  await userEvent.click(await screen.findByRole('button', { name: 'Change filters' }))
  expect(onFilter).toHaveBeenCalled()
})

it('Nearby shows an error if it can’t load, and can retry', async () => {
  call.mockRejectedValueOnce(offlineProblem()).mockResolvedValue({ users: [ines], nextCursor: null })
  show(me)
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('link', { name: /Ines/ })).toBeTruthy()
})
