import type { Profile } from '@duet/contract/profiles.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { useReportStore } from '../../features/reports/report-store.ts'
import { navigate } from '../../platform/address/address.tsx'
import { anAnswer, myDetails } from '../../test/deck.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { OtherProfile } from './other-profile.tsx'

const ines: Profile = {
  id: 'ines',
  name: 'Ines',
  age: 31,
  images: [],
  photos: [],
  distanceKm: 5,
  area: 'Lisbon',
  bio: 'Slow mornings.',
  interests: ['cats', 'chess', 'ceramics'],
  active: 'today',
  verified: false,
  reasons: [],
  why: [],
  gender: 'woman',
  genderText: '',
  pronouns: 'she/her',
  intents: ['relationship'],
  prompts: [],
  facts: {
    heightCm: null,
    children: 'open',
    smoking: null,
    drinking: null,
    diet: null,
    languages: [],
    faith: null,
  },
  questions: { agreed: 3, asked: 4 },
  myDecision: null,
  matched: false,
  canLike: true,
  mayMessage: true,
}

// The first import is slow, so it runs before the tests, where their timeouts don't apply.
beforeAll(() => import('../../ui/overlay/menu-list.tsx'))
beforeEach(() => {
  signInAs(jun)
  mockEndpoint('GET /api/likes', () => ({ likes: [], count: 0, nextCursor: null }))
  mockEndpoint('GET /api/user/myDetails', () => myDetails({ interests: ['cats', 'ceramics', 'tea'] }))
})
afterEach(resetEndpoints)

const draw = () =>
  renderPage(<OtherProfile id="ines" />, { texts: ['profiles', 'catalogue', 'discovery', 'likes', 'ui'] })

test('a profile shows shared interests, facts and the buttons to like and message', async () => {
  mockEndpoint('GET /api/user/:id', () => ines)
  await draw()
  expect(await screen.findByText('· 2 in common')).toBeTruthy()
  expect(screen.getByText('You match on 3 of 4 answers')).toBeTruthy()
  expect(screen.getByText('Open to kids')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Like' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Message' }).getAttribute('href')).toBe('/chat/ines')
})

test('the profile of a match shows no like button', async () => {
  mockEndpoint('GET /api/user/:id', () => ({ ...ines, myDecision: 'like', matched: true }))
  await draw()
  expect(await screen.findByRole('link', { name: 'Message' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Like' })).toBeNull()
})

test('a profile says if its owner can’t be messaged before a match', async () => {
  mockEndpoint('GET /api/user/:id', () => ({ ...ines, mayMessage: false }))
  await draw()
  expect(await screen.findByText('You can’t message Ines first. If you match, you can.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Message' })).toBeNull()
})

test('a profile that the viewer may not see is shown as unavailable', async () => {
  mockEndpoint('GET /api/user/:id', () => problem(404, 'not_found'))
  await draw()
  expect(await screen.findByText(/This profile isn’t available/)).toBeTruthy()
})

const photoOf = (fileName: string) => ({ fileName, url: `/${fileName}?`, alt: '', width: 3, height: 4, blurhash: '' })
const whole: Profile = {
  ...ines,
  photos: [photoOf('a.webp'), photoOf('b.webp')],
  prompts: [{ prompt: 'proud_of', answer: 'I bake.' }],
}

test.each([
  ['an answer', 'Like this answer', { kind: 'prompt', prompt: 'proud_of' }],
  ['a photo', 'Like this photo', { kind: 'photo', fileName: 'b.webp' }],
])('%s on a profile can be liked with a comment', async (_, label, item) => {
  mockEndpoint('GET /api/user/:id', () => whole)
  const decided = mockEndpoint('PUT /api/decisions/:userId', () => anAnswer('like'))
  const { user } = await draw()
  const hearts = await screen.findAllByRole('button', { name: label })
  await user.click(hearts.at(-1) as HTMLElement)
  await user.type(await screen.findByRole('textbox', { name: 'Add a comment' }), 'Bread or cake?')
  mockEndpoint('GET /api/user/:id', () => ({ ...whole, myDecision: 'like' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Like' }))
  await waitFor(() => expect(decided[0]?.body).toEqual({ decision: 'like', item, comment: 'Bread or cake?' }))
  expect(await screen.findByText('You like Ines.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: label })).toBeNull()
})

test('discarding a comment likes nothing and returns the focus to the like button', async () => {
  mockEndpoint('GET /api/user/:id', () => whole)
  const decided = mockEndpoint('PUT /api/decisions/:userId', () => anAnswer('like'))
  const { user } = await draw()
  const heart = await screen.findByRole('button', { name: 'Like this answer' })
  await user.click(heart)
  await user.type(await screen.findByRole('textbox', { name: 'Add a comment' }), 'Bread')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(document.activeElement).toBe(heart))
  expect(decided).toEqual([])
})

test('the profile of someone who can’t be liked now has no like buttons on its items', async () => {
  mockEndpoint('GET /api/user/:id', () => ({ ...whole, canLike: false }))
  await draw()
  expect(await screen.findByText('I bake.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Like this/ })).toBeNull()
})

test('the profile of someone who likes me shows the item they liked and their comment', async () => {
  mockEndpoint('GET /api/user/:id', () => whole)
  const item = { kind: 'prompt' as const, prompt: 'green_flag' as const, answer: 'Kind to waiters.' }
  const like = { user: whole, item, comment: 'Same here!', at: new Date().toISOString() }
  mockEndpoint('GET /api/likes', () => ({ likes: [like], count: 1, nextCursor: null }))
  await draw()
  expect(await screen.findByRole('heading', { name: 'Ines likes you' })).toBeTruthy()
  expect(screen.getByText('Kind to waiters.')).toBeTruthy()
  expect(screen.getByText('Same here!')).toBeTruthy()
})

test('the back link returns to the previous screen, or to /home for someone who came from outside', async () => {
  mockEndpoint('GET /api/user/:id', () => ines)
  const back = vi.spyOn(window.history, 'back').mockImplementation(() => undefined)
  const { user } = await draw()
  const link = await screen.findByRole('link', { name: 'Back' })
  act(() => navigate('/profile/ines?again'))
  await user.click(link)
  expect(back).toHaveBeenCalledOnce()
  act(() => window.history.replaceState(null, '', '/profile/ines'))
  await user.click(link)
  expect(screen.getByTestId('address').textContent).toBe('/home')
  expect(back).toHaveBeenCalledOnce()
})

test('each photo has its own menu for reporting it', async () => {
  mockEndpoint('GET /api/user/:id', () => ({ ...ines, photos: [photoOf('a.webp'), photoOf('b.webp')] }))
  const { user } = await draw()
  const menus = await screen.findAllByRole('button', { name: /^More about Ines’s photo \d$/ })
  expect(menus).toHaveLength(2)
  await user.click(menus[1] as HTMLElement)
  await user.click(await screen.findByRole('menuitem', { name: 'Report this photo' }))
  const { asked, open } = useReportStore.getState()
  expect({ open, ...asked }).toMatchObject({
    open: true,
    userId: 'ines',
    name: 'Ines',
    subject: { kind: 'photo', fileName: 'b.webp' },
  })
})
