import type { Profile } from '@duet/contract/profiles.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aDeck, anAnswer, aPool, aProfile, likesToday, myDetails } from '../../../test/deck.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { renderPage } from '../../../test/render.tsx'
import HomeScreen from '../home-screen.tsx'

const texts = ['discovery', 'catalogue', 'profiles', 'places', 'common']
const [ines, maya, noor] = [aProfile('Ines'), aProfile('Maya', { age: 29 }), aProfile('Noor')]
const none = { today: likesToday(12), undoable: 0, undoNext: null }
const decision = (body: unknown) => (body as { decision: 'like' | 'pass' | 'later' }).decision

beforeEach(() => {
  localStorage.clear()
  mockEndpoint('GET /api/user/myDetails', () => myDetails())
  mockEndpoint('POST /api/pool', () => aPool())
})
afterEach(resetEndpoints)

async function draw(cards: Profile[] = [ines, maya, noor], changes: Parameters<typeof aDeck>[1] = {}) {
  let left = cards
  let undo: { undoable: number; undoNext: string | null } = { undoable: 0, undoNext: null }
  const decided = mockEndpoint('PUT /api/decisions/:userId', ({ url, body }) => {
    left = left.filter(({ id }) => !url.pathname.endsWith(`/${id}`))
    undo = { undoable: undo.undoable + 1, undoNext: url.pathname.split('/').at(-1) as string }
    return anAnswer(decision(body), undo)
  })
  mockEndpoint('GET /api/deck', () =>
    aDeck(left, { ...undo, ...changes, ...(left.length === 0 && { state: 'seen_all' }) }),
  )
  const page = await renderPage(<HomeScreen />, { texts })
  await screen.findByRole('article')
  return { ...page, decided }
}
const top = () => screen.getByRole('article').getAttribute('aria-label')
// Search only the deck, because a toast may also have an Undo button.
const button = (name: string) => within(screen.getByRole('region', { name: 'Deck' })).getByRole('button', { name })
const said = () =>
  screen
    .getAllByRole('status')
    .map((region) => region.textContent)
    .join(' ')

test('The card shows the name, age, distance, verification and last activity', async () => {
  await draw()
  const card = within(screen.getByRole('article', { name: 'Ines, 31' }))
  expect(card.getByRole('heading', { name: /Ines 31/ })).toBeTruthy()
  expect(card.getByText('within 5 km')).toBeTruthy()
  expect(card.getByText('Active today')).toBeTruthy()
  expect(card.getByRole('img', { name: 'Verified' })).toBeTruthy()
})

test('The deck explains why a person is shown', async () => {
  await draw()
  expect(screen.getByText('Why Ines')).toBeTruthy()
  expect(screen.getByText('You both like cats')).toBeTruthy()
  expect(screen.getByText('You match on 14 of 16 answers')).toBeTruthy()
})

test('The explanation is left out with fewer than two personal reasons', async () => {
  const near = { kind: 'near', params: { km: '5' } } as const
  await draw([aProfile('Ines', { why: [ines.why[0] as (typeof ines.why)[number], near] })])
  expect(screen.queryByText('Why Ines')).toBeNull()
})

test('A like removes the card immediately, is sent and announces the next person', async () => {
  const { user, decided } = await draw()
  await user.click(button('Like'))
  expect(top()).toBe('Maya, 29')
  expect(said()).toContain('You liked Ines. Next is Maya, 29.')
  await waitFor(() =>
    expect(decided.map(({ url, body }) => [url.pathname, body])).toEqual([
      ['/api/decisions/ines', { decision: 'like' }],
    ]),
  )
})

test('Pass and later send their own decisions', async () => {
  const { user, decided } = await draw()
  await user.click(button('Pass'))
  await user.click(button('Later'))
  await waitFor(() => expect(decided.map(({ body }) => decision(body))).toEqual(['pass', 'later']))
  expect(top()).toBe('Noor, 31')
})

test('The left arrow passes, right likes, up saves for later, and Z undoes', async () => {
  const { user, decided } = await draw()
  mockEndpoint('POST /api/decisions/undo', () => ({
    ...{ userId: 'noor', decision: 'later' as const, card: noor, today: likesToday(13), undoable: 2, undoNext: 'maya' },
  }))
  await user.keyboard('{ArrowLeft}{ArrowRight}{ArrowUp}')
  await waitFor(() => expect(decided.map(({ body }) => decision(body))).toEqual(['pass', 'like', 'later']))
  await user.keyboard('z')
  expect(await screen.findByRole('article', { name: 'Noor, 31' })).toBeTruthy()
})

test('Shortcuts are off in a text field, in an open dialog and when switched off', async () => {
  const { user, decided } = await draw()
  const field = document.body.appendChild(document.createElement('input'))
  field.focus()
  await user.keyboard('{ArrowRight}z')
  field.remove()
  await user.click(button('Keyboard shortcuts'))
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  await user.keyboard('{ArrowLeft}')
  await user.click(within(dialog).getByRole('switch', { name: /Use keyboard shortcuts/ }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.keyboard('{ArrowLeft}')
  expect(decided).toEqual([])
  expect(button('Pass').getAttribute('aria-keyshortcuts')).toBeNull()
})

test('Undo restores the card before the server answers, and is disabled when nothing is left to undo', async () => {
  const { user } = await draw()
  mockEndpoint('POST /api/decisions/undo', () => ({
    ...{ userId: 'ines', decision: 'pass' as const, card: ines, ...none },
  }))
  expect(button('Undo').getAttribute('aria-disabled')).toBe('true')
  await user.click(button('Pass'))
  await waitFor(() => expect(button('Undo').getAttribute('aria-disabled')).toBe('false'))
  await user.click(button('Undo'))
  expect(top()).toBe('Ines, 31')
  await waitFor(() => expect(said()).toContain('Ines is back.'))
  expect(button('Undo').getAttribute('aria-disabled')).toBe('true')
})

test('A person decided on again before the undo was answered stays decided', { tags: 'long' }, async () => {
  const { user } = await draw()
  let answer: () => void = () => undefined
  mockEndpoint('POST /api/decisions/undo', async () => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return { userId: ines.id, decision: 'pass' as const, card: ines, ...none }
  })
  await user.click(button('Pass'))
  await user.click(button('Undo'))
  expect(top()).toBe('Ines, 31')
  await user.click(button('Later'))
  expect(top()).toBe('Maya, 29')
  await act(async () => answer())
  expect(top()).toBe('Maya, 29')
})

test('The last card can be undone even when no card is left', async () => {
  const { user } = await draw([ines])
  mockEndpoint('POST /api/decisions/undo', () => ({
    ...{ userId: 'ines', decision: 'pass' as const, card: ines, ...none },
  }))
  await user.keyboard('{ArrowLeft}')
  await screen.findByText(/You’ve seen everyone/)
  await user.click(button('Undo'))
  expect(await screen.findByRole('article', { name: 'Ines, 31' })).toBeTruthy()
})

test('The deck shows an error if my details can’t be loaded, and can retry', async () => {
  mockEndpoint('GET /api/user/myDetails', () => problem(503, 'unavailable'))
  mockEndpoint('GET /api/deck', () => aDeck([ines]))
  const { user } = await renderPage(<HomeScreen />, { texts })
  const retry = await screen.findByRole('button', { name: 'Retry' })
  mockEndpoint('GET /api/user/myDetails', () => myDetails())
  await user.click(retry)
  expect(await screen.findByRole('article', { name: 'Ines, 31' })).toBeTruthy()
})

test('A refused like restores the card and explains why', async () => {
  const { user } = await draw()
  mockEndpoint('PUT /api/decisions/:userId', () => problem(409, 'daily_limit_reached'))
  mockEndpoint('GET /api/deck', () => aDeck([ines, maya], { state: 'limit_reached', today: likesToday(100) }))
  await user.click(button('Like'))
  expect(await screen.findByText(/You’ve used all of today’s likes. Ines is back/)).toBeTruthy()
  expect(top()).toBe('Ines, 31')
})

test('A person who is gone doesn’t come back to the deck', { tags: 'long' }, async () => {
  const { user } = await draw()
  mockEndpoint('PUT /api/decisions/:userId', () => problem(404, 'not_found'))
  mockEndpoint('GET /api/deck', () => aDeck([maya, noor]))
  await user.click(button('Like'))
  expect(await screen.findByText('Ines isn’t here any more.')).toBeTruthy()
  expect(top()).toBe('Maya, 29')
})

test('Without a connection a like only shows a message', async () => {
  const { user, decided } = await draw()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await user.click(button('Like'))
  expect(await screen.findByText('You’re offline, so nothing was sent.')).toBeTruthy()
  expect(top()).toBe('Ines, 31')
  expect(decided).toEqual([])
})

test('Without a connection the comment of a like in the deck is kept', { tags: 'long' }, async () => {
  const { user, decided } = await draw()
  await user.click(button('Like this answer'))
  const dialog = await screen.findByRole('dialog', { name: 'Like Ines’s answer' })
  await user.type(within(dialog).getByRole('textbox', { name: 'Add a comment' }), 'Which flour?')
  const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await user.click(within(dialog).getByRole('button', { name: 'Like' }))
  expect(await screen.findByText('You’re offline, so nothing was sent.')).toBeTruthy()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Add a comment' }).value).toBe('Which flour?')
  line.mockReturnValue(true)
  await user.click(within(dialog).getByRole('button', { name: 'Like' }))
  await waitFor(() => expect(decided.map(({ body }) => body)).toMatchObject([{ comment: 'Which flour?' }]))
  expect(top()).toBe('Maya, 29')
})

test('After the last like of the day, liking is disabled with a time, and passing still works', async () => {
  const { user, decided } = await draw([ines, maya], { today: likesToday(99) })
  expect(screen.getByText('1 like left today')).toBeTruthy()
  mockEndpoint('PUT /api/decisions/:userId', ({ body }) => {
    decided.push({ url: new URL('http://x'), headers: new Headers(), body })
    return anAnswer(decision(body), { today: likesToday(100) })
  })
  await user.click(button('Like'))
  await waitFor(() => expect(button('Like').getAttribute('aria-disabled')).toBe('true'))
  expect(screen.getByText(/You’ve used today’s 100 likes. You’ll get more at/)).toBeTruthy()
  await user.click(button('Like'))
  await user.keyboard('{ArrowRight}')
  expect(top()).toBe('Maya, 29')
  await user.click(button('Pass'))
  await waitFor(() => expect(decided.map(({ body }) => decision(body))).toEqual(['like', 'pass']))
})

test('The deck loads more before it runs out and shows nobody twice', { tags: 'long' }, async () => {
  const people = Array.from({ length: 12 }, (_, index) => aProfile(`P${index}`))
  let left = people
  mockEndpoint('PUT /api/decisions/:userId', ({ url, body }) => {
    left = left.filter(({ id }) => !url.pathname.endsWith(`/${id}`))
    return anAnswer(decision(body))
  })
  const asked = mockEndpoint('GET /api/deck', () => aDeck(left.slice(0, 10)))
  const { user } = await renderPage(<HomeScreen />, { texts })
  const seen: (string | null)[] = []
  for (const _ of people) {
    await screen.findByRole('article')
    seen.push(top())
    await user.click(button('Pass'))
  }
  expect(seen).toEqual(people.map(({ name }) => `${name}, 31`))
  expect(asked.length).toBeGreaterThan(1)
})

test('One answer can be liked with a comment by keyboard alone', async () => {
  const { user, decided } = await draw()
  button('Like this answer').focus()
  await user.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Like Ines’s answer' })
  expect(within(dialog).getByText('Ines bakes bread.')).toBeTruthy()
  await user.type(within(dialog).getByRole('textbox', { name: 'Add a comment' }), 'Which flour?')
  within(dialog).getByRole('button', { name: 'Like' }).focus()
  await user.keyboard('{Enter}')
  const body = { decision: 'like', item: { kind: 'prompt', prompt: 'proud_of' }, comment: 'Which flour?' }
  await waitFor(() => expect(decided.map((call) => call.body)).toEqual([body]))
  expect(top()).toBe('Maya, 29')
})

test('Liking a photo likes the visible one', async () => {
  const { user, decided } = await draw()
  await user.click(button('Next photo'))
  await user.click(button('Like this photo'))
  const dialog = await screen.findByRole('dialog', { name: 'Like Ines’s photo' })
  await user.click(within(dialog).getByRole('button', { name: 'Like' }))
  await waitFor(() =>
    expect(decided[0]?.body).toEqual({ decision: 'like', item: { kind: 'photo', fileName: 'Ines-2' } }),
  )
})

test('The card follows the pointer, and a swipe to the right likes', async () => {
  const { decided } = await draw()
  const card = screen.getByRole('article')
  card.setPointerCapture = vi.fn()
  Object.defineProperty(card, 'offsetWidth', { value: 400 })
  Object.defineProperty(card, 'offsetHeight', { value: 560 })
  const at = (x: number, buttons = 1) => ({
    ...{ pointerId: 1, isPrimary: true, button: 0, buttons, clientX: x, clientY: 100 },
  })
  // If the mouse button is released outside the card, hovering afterwards must not move the card.
  fireEvent.pointerDown(card, at(2))
  fireEvent.pointerUp(document.body, at(-3, 0))
  fireEvent.pointerMove(card, at(200, 0))
  expect(card.style.transform).toBe('')
  fireEvent.pointerDown(card, at(100))
  fireEvent.pointerMove(card, at(200))
  expect(card.style.transform).toContain('translate(100px, 0px)')
  fireEvent.pointerMove(card, at(260))
  await act(async () => void fireEvent.pointerUp(card, at(260)))
  await waitFor(() => expect(decided.map(({ body }) => decision(body))).toEqual(['like']))
})
