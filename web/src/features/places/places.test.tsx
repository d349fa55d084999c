import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { PlaceDialog } from './places.tsx'

const berlin = { cityId: 1, name: 'Berlin', country: 'Germany' }

beforeEach(() => signInAs(jun))
afterEach(resetEndpoints)

async function draw() {
  const onOpenChange = vi.fn()
  const page = await renderPage(<PlaceDialog open onOpenChange={onOpenChange} area={null} />, { texts: ['places'] })
  await screen.findByRole('dialog', { name: 'Where are you?' })
  return { ...page, onOpenChange }
}
const box = () => screen.getByRole('combobox', { name: 'City' })

test('Escape closes the list of cities first, and then the dialog', async () => {
  mockEndpoint('GET /api/places', () => ({ places: [berlin] }))
  const { user, onOpenChange } = await draw()
  await user.type(box(), 'Ber')
  await screen.findByRole('option', { name: /Berlin/ })
  await user.keyboard('{Escape}')
  expect(box().getAttribute('aria-expanded')).toBe('false')
  expect(onOpenChange).not.toHaveBeenCalled()
  await user.keyboard('{Escape}')
  expect(onOpenChange).toHaveBeenCalledWith(false)
})

test('Cities with the same name show their state', async () => {
  const portland = { cityId: 2, name: 'Portland', region: 'Oregon', country: 'United States' }
  mockEndpoint('GET /api/places', () => ({ places: [portland, berlin] }))
  const { user } = await draw()
  await user.type(box(), 'Po')
  expect((await screen.findByRole('option', { name: /Portland/ })).textContent).toBe('PortlandOregon, United States')
})

test('A city found by another name shows that name, and an empty result is announced', async () => {
  const moscow = { cityId: 3, name: 'Moscow', otherName: 'Москва', country: 'Russia' }
  mockEndpoint('GET /api/places', () => ({ places: [moscow] }))
  const { user } = await draw()
  const status = screen.getByRole('status')
  expect(status.textContent).toBe('')
  await user.type(box(), 'Мос')
  expect((await screen.findByRole('option')).textContent).toBe('Moscow (Москва)Russia')
  mockEndpoint('GET /api/places', () => ({ places: [] }))
  await user.type(box(), 'ъ')
  await waitFor(() => expect(status.textContent).toContain('couldn’t find a city'))
})

test('A failed search shows an error rather than “no city”', async () => {
  mockEndpoint('GET /api/places', () => problem(429, 'rate_limited'))
  const { user } = await draw()
  await user.type(box(), 'Ber')
  expect(await screen.findByText(/We can’t search for cities right now/)).toBeTruthy()
  expect(screen.queryByText(/couldn’t find a city/)).toBeNull()
})

test('The location button is busy while the device is asked, and leaving meanwhile sends nothing', async () => {
  let find: PositionCallback = () => undefined
  const getCurrentPosition = vi.fn((found: PositionCallback) => {
    find = found
  })
  Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } })
  const told = mockEndpoint('PATCH /api/user/updateLocation', () => ({ area: 'Berlin' }))
  const here = { coords: { latitude: 1, longitude: 2 } } as GeolocationPosition
  const { user, unmount } = await draw()
  const use = screen.getByRole('button', { name: 'Use my location' })
  await user.click(use)
  await user.click(use)
  expect(use.getAttribute('aria-busy')).toBe('true')
  expect(getCurrentPosition).toHaveBeenCalledOnce()
  unmount()
  find(here)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(told).toEqual([])
  const again = await draw()
  await again.user.click(screen.getByRole('button', { name: 'Use my location' }))
  find(here)
  await waitFor(() => expect(told.map(({ body }) => body)).toEqual([{ latitude: 1, longitude: 2 }]))
})

function Opened() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <PlaceDialog open={open} onOpenChange={setOpen} area={null} />
    </>
  )
}

test('A location saved after its dialog was closed doesn’t close the next one', async () => {
  mockEndpoint('GET /api/places', () => ({ places: [berlin] }))
  let answer: () => void = () => undefined
  const asked = mockEndpoint('PATCH /api/user/updateLocation', async () => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return { area: 'Berlin' }
  })
  const { user, queryClient } = await renderPage(<Opened />, { texts: ['places'] })
  await user.click(screen.getByRole('button', { name: 'Open' }))
  await user.type(await screen.findByRole('combobox', { name: 'City' }), 'Ber')
  await user.click(await screen.findByRole('option', { name: /Berlin/ }))
  await waitFor(() => expect(asked).toHaveLength(1))
  await user.keyboard('{Escape}{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Open' }))
  await screen.findByRole('dialog')
  answer()
  await waitFor(() => expect(queryClient.isMutating()).toBe(0))
  expect(screen.getByRole('dialog')).toBeTruthy()
})
