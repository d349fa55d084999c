import type { MyDetails } from '@duet/contract/profiles.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aDeck, aPool, aProfile, myDetails } from '../../../test/deck.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { renderPage } from '../../../test/render.tsx'
import { ownDetailsKey } from '../../accounts/accounts.ts'
import HomeScreen from '../home-screen.tsx'

const texts = ['discovery', 'catalogue', 'profiles', 'places', 'common', 'ui']
const filters = { interestedIn: ['woman'], ageMin: 27, ageMax: 38, maxDistanceKm: 25, preferences: {} }

// Import the modules in advance, so that the first test doesn't wait for the imports.
beforeAll(() => Promise.all([import('./filters-sheet.tsx'), import('../../../ui/form/slider-track.tsx')]))
beforeEach(() => localStorage.clear())
afterEach(resetEndpoints)

async function draw(details: Partial<MyDetails> = {}) {
  let mine = myDetails(details)
  mockEndpoint('GET /api/user/myDetails', () => mine)
  mockEndpoint('GET /api/deck', () => aDeck([aProfile('Ines')]))
  const saved = mockEndpoint('PATCH /api/user/updateUser', ({ body }) => {
    mine = { ...mine, ...(body as Partial<MyDetails>) }
    return mine
  })
  const measured = mockEndpoint('POST /api/pool', ({ body }) =>
    (body as { maxDistanceKm?: number | null }).maxDistanceKm === null
      ? aPool({ iSee: 500, both: 100 })
      : aPool({ wideners: [{ item: 'ages', adds: 5, changes: { ageMin: 25, ageMax: 42 } }] }),
  )
  const page = await renderPage(<HomeScreen />, { texts })
  await screen.findByRole('article')
  const change = (changes: Partial<MyDetails>) => {
    mine = { ...mine, ...changes }
    return mine
  }
  return { ...page, saved, measured, change }
}

async function openSheet(user: Awaited<ReturnType<typeof draw>>['user']) {
  await user.click(screen.getByRole('button', { name: /^Filters/ }))
  return within(await screen.findByRole('dialog', { name: 'Filters' }))
}

test('The button counts the active filters, and each can be removed with a tap', async () => {
  const { user, saved } = await draw()
  expect(screen.getByRole('button', { name: 'Filters, 2 on' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Remove within 25 km' }))
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([{ maxDistanceKm: null }]))
  expect(await screen.findByRole('button', { name: 'Filters, 1 on' })).toBeTruthy()
})

test('Two filters removed in quick succession are both gone', async () => {
  const [vegan, never] = [
    { accepts: ['vegan' as const], dealbreaker: false },
    { accepts: ['never' as const], dealbreaker: false },
  ]
  const { user, saved, change } = await draw({ preferences: { diet: vegan, smoking: never } })
  const answers: (() => void)[] = []
  mockEndpoint('PATCH /api/user/updateUser', async ({ body, ...seen }) => {
    saved.push({ body, ...seen })
    await new Promise<void>((resolve) => answers.push(resolve))
    return change(body as Partial<MyDetails>)
  })
  await user.click(screen.getByRole('button', { name: 'Remove Vegan' }))
  expect(screen.queryByRole('button', { name: 'Remove Vegan' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Remove Doesn’t smoke' }))
  expect(screen.queryByRole('button', { name: 'Remove Doesn’t smoke' })).toBeNull()
  await waitFor(() => expect(answers).toHaveLength(1))
  answers[0]?.()
  await waitFor(() => expect(answers).toHaveLength(2))
  expect(saved.map(({ body }) => body)).toEqual([{ preferences: { smoking: never } }, { preferences: {} }])
  answers[1]?.()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Filters, 2 on' })).toBeTruthy())
})

test('Moving a filter updates the estimate, and nothing is saved before pressing Save', async () => {
  const { user, saved, measured } = await draw()
  const sheet = await openSheet(user)
  expect(await sheet.findByText('about 50')).toBeTruthy()
  await user.click(sheet.getByRole('button', { name: 'Anywhere' }))
  expect(await sheet.findByText('about 500')).toBeTruthy()
  expect(measured.at(-1)?.body).toEqual({ ...filters, maxDistanceKm: null })
  expect(saved).toEqual([])
  await user.click(sheet.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([{ maxDistanceKm: null }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('A preference becomes a dealbreaker with its switch', async () => {
  const { user, saved } = await draw()
  const sheet = await openSheet(user)
  await user.click(sheet.getByText('Smoking'))
  await user.click(sheet.getByRole('button', { name: 'Doesn’t smoke' }))
  await user.click(sheet.getByRole('switch', { name: 'Dealbreaker: Smoking' }))
  await user.click(sheet.getByRole('button', { name: 'Save' }))
  const smoking = { accepts: ['never'], dealbreaker: true }
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([{ preferences: { smoking } }]))
})

test('A suggestion in the sheet changes only the unsaved filters', async () => {
  const { user, saved } = await draw()
  const sheet = await openSheet(user)
  await user.click(await sheet.findByRole('button', { name: /Ages 25 to 42 about 5 more/ }))
  expect(await sheet.findByText('25 to 42')).toBeTruthy()
  expect(saved).toEqual([])
})

test('Choosing a religious diet asks for consent, and no other choice does', async () => {
  const { user } = await draw()
  const sheet = await openSheet(user)
  const consent = () => sheet.queryByText(/you agree that Duet uses it to find your matches/)
  const food = within(sheet.getByRole('group', { name: 'Food', hidden: true }))
  await user.click(food.getByRole('button', { name: 'Vegan', hidden: true }))
  expect(consent()).toBeNull()
  for (const name of ['Halal', 'Kosher']) {
    await user.click(food.getByRole('button', { name, hidden: true }))
    await waitFor(() => expect(consent()).toBeTruthy())
    await user.click(food.getByRole('button', { name, hidden: true }))
    expect(consent()).toBeNull()
  }
})

test('Reset opens all filters except whom to meet', async () => {
  const { user, saved } = await draw({ preferences: { diet: { accepts: ['vegan'], dealbreaker: true } } })
  const sheet = await openSheet(user)
  await user.click(sheet.getByRole('button', { name: 'Reset' }))
  await user.click(sheet.getByRole('button', { name: 'Save' }))
  const open = { ageMin: 18, ageMax: 99, maxDistanceKm: null, preferences: {} }
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([open]))
})

test('Saving keeps filters and preferences that another device has changed', async () => {
  const wish = <W extends string>(word: W) => ({ accepts: [word], dealbreaker: false })
  const { user, saved, change, queryClient } = await draw({ preferences: { smoking: wish('never') } })
  const sheet = await openSheet(user)
  await user.click(sheet.getByText('Height'))
  await user.click(sheet.getByRole('button', { name: 'Set a height' }))
  await user.click(sheet.getByRole('button', { name: 'Anywhere' }))
  // Another device has changed the preferences, and this page hasn't fetched the change.
  change({ preferences: { diet: wish('vegan') } })
  act(() => queryClient.setQueryData(ownDetailsKey, (now: MyDetails) => ({ ...now, ageMin: 30 })))
  expect(await sheet.findByText('30 to 38')).toBeTruthy()
  await user.click(sheet.getByRole('button', { name: 'Save' }))
  const height = { min: 150, max: 200, dealbreaker: false }
  const preferences = { diet: wish('vegan'), height }
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([{ maxDistanceKm: null, preferences }]))
})

test('The sheet asks which distance to keep when another device has changed it too', async () => {
  const { user, saved, queryClient } = await draw()
  const sheet = await openSheet(user)
  await user.click(sheet.getByRole('button', { name: 'Anywhere' }))
  act(() => queryClient.setQueryData(ownDetailsKey, (now: MyDetails) => ({ ...now, maxDistanceKm: 10 })))
  await user.click(sheet.getByRole('button', { name: 'Save' }))
  expect(saved).toEqual([])
  await user.click(sheet.getByRole('button', { name: 'Keep mine' }))
  await user.click(sheet.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([{ maxDistanceKm: null }]))
})

test('Saving unchanged filters sends no request', async () => {
  const { user, saved } = await draw()
  const sheet = await openSheet(user)
  await user.click(sheet.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(saved).toEqual([])
})

test('Filters that can’t be saved show an error and stay', async () => {
  const { user } = await draw()
  const sheet = await openSheet(user)
  mockEndpoint('PATCH /api/user/updateUser', () => problem(400, 'validation_failed'))
  await user.click(sheet.getByRole('button', { name: 'Anywhere' }))
  await user.click(sheet.getByRole('button', { name: 'Save' }))
  expect((await sheet.findByRole('alert')).textContent).toContain('couldn’t be saved')
})

test('The choice of deck or nearby is remembered', async () => {
  const { user, unmount } = await draw()
  mockEndpoint('GET /api/user/nearBy', () => ({ users: [aProfile('Maya')], nextCursor: null }))
  await user.click(screen.getByRole('radio', { name: 'Nearby' }))
  const card = await screen.findByRole('link', { name: /Maya 31/ })
  expect(card.textContent).toContain('You both like cats')
  unmount()
  await renderPage(<HomeScreen />, { texts })
  expect(await screen.findByRole('link', { name: /Maya 31/ })).toBeTruthy()
})
