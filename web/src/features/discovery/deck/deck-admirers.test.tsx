import type { Like } from '@duet/contract/likes.ts'
import type { Profile } from '@duet/contract/profiles.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { likeHandlers } from '../../../app/events/likes.events.ts'
import { forgetPerson } from '../../../cache/forget-person.ts'
import type { RealtimeContext } from '../../../platform/socket/socket.ts'
import { aDeck, anAnswer, aPool, aProfile, myDetails } from '../../../test/deck.ts'
import { mockEndpoint, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import { noNews, useMatchNews } from '../../matches/match-news.ts'
import HomeScreen from '../home-screen.tsx'

const texts = ['discovery', 'catalogue', 'profiles', 'places', 'common']
const [ines, maya] = [aProfile('Ines'), aProfile('Maya', { age: 29 })]
const decision = (body: unknown) => (body as { decision: 'like' | 'pass' | 'later' }).decision
const likeOf = (user: Profile): Like => ({
  user,
  item: null,
  comment: 'Bread or cake?',
  at: '2026-11-20T12:00:00.000Z',
})

beforeEach(() => {
  localStorage.clear()
  signInAs(jun)
  useMatchNews.setState(noNews)
  mockEndpoint('GET /api/user/myDetails', () => myDetails())
  mockEndpoint('POST /api/pool', () => aPool())
})
afterEach(resetEndpoints)

async function draw() {
  let left = [ines, maya]
  let undo: { undoable: number; undoNext: string | null } = { undoable: 0, undoNext: null }
  const decided = mockEndpoint('PUT /api/decisions/:userId', ({ url, body }) => {
    left = left.filter(({ id }) => !url.pathname.endsWith(`/${id}`))
    undo = { undoable: undo.undoable + 1, undoNext: url.pathname.split('/').at(-1) as string }
    return anAnswer(decision(body), undo)
  })
  const undone = mockEndpoint('POST /api/decisions/undo', ({ body }) => {
    const card = (body as { userId: string }).userId === ines.id ? ines : maya
    left = [card, ...left]
    undo = { undoable: undo.undoable - 1, undoNext: null }
    return { userId: card.id, decision: 'pass' as const, card, today: aDeck([]).today, ...undo }
  })
  mockEndpoint('GET /api/deck', () => aDeck(left, undo))
  const asked = mockEndpoint('GET /api/likes', () => ({ likes: [likeOf(ines)], count: 1, nextCursor: null }))
  const page = await renderPage(<HomeScreen />, { texts })
  await screen.findByText('Likes you')
  return { ...page, decided, undone, asked }
}
const top = () => screen.getByRole('article').getAttribute('aria-label')
const button = (name: string) => within(screen.getByRole('region', { name: 'Deck' })).getByRole('button', { name })
const undoIn = (words: string) =>
  screen
    .findByText(words)
    .then((said) => within(said.closest('li') as HTMLElement).getByRole('button', { name: 'Undo' }))

test('The deck marks people who like me, and nobody else', async () => {
  const { user } = await draw()
  expect(within(screen.getByRole('article', { name: 'Ines, 31' })).getByText('Likes you')).toBeTruthy()
  await user.click(button('Pass'))
  expect(within(screen.getByRole('article', { name: 'Maya, 29' })).queryByText('Likes you')).toBeNull()
})

test('Passing on someone who likes me shows a toast with an undo', async () => {
  const { user, decided, undone } = await draw()
  await user.click(button('Pass'))
  const undo = await undoIn('You passed on Ines, who likes you.')
  expect(top()).toBe('Maya, 29')
  await waitFor(() => expect(decided).toHaveLength(1))
  await user.click(undo)
  await waitFor(() => expect(top()).toBe('Ines, 31'))
  expect(undone.map(({ body }) => body)).toEqual([{ userId: 'ines' }])
  expect(within(screen.getByRole('article')).getByText('Likes you')).toBeTruthy()
})

test('Saving someone for later shows a toast whose undo works even after a newer decision', async () => {
  const { user, decided } = await draw()
  const taken = mockEndpoint('DELETE /api/decisions/:userId', () => ({ ok: true }))
  await user.click(button('Later'))
  const undo = await undoIn('Saved Ines for later.')
  await user.click(button('Pass'))
  await waitFor(() => expect(decided).toHaveLength(2))
  await user.click(undo)
  await waitFor(() => expect(taken.map(({ url }) => url.pathname)).toEqual(['/api/decisions/ines']))
})

test('Liking someone who likes me shows the match immediately, with both comments', async () => {
  const { user } = await draw()
  mockEndpoint('PUT /api/decisions/:userId', () => new Promise(() => undefined))
  await user.click(button('Like this answer'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Like Ines’s answer' }))
  await user.type(dialog.getByRole('textbox'), 'Teach me')
  await user.click(dialog.getByRole('button', { name: 'Like' }))
  expect(useMatchNews.getState().shown).toMatchObject({
    certain: false,
    user: { id: 'ines', name: 'Ines' },
    mine: { comment: 'Teach me', item: { kind: 'prompt', answer: 'Ines bakes bread.' } },
    theirs: { comment: 'Bread or cake?' },
  })
})

test('Liking someone else shows no match before the answer', async () => {
  const { user } = await draw()
  mockEndpoint('PUT /api/decisions/:userId', () => new Promise(() => undefined))
  await user.click(button('Pass'))
  await user.click(button('Like'))
  expect(useMatchNews.getState().shown).toBeNull()
})

test('The people who like me are refetched only when their number changes', async () => {
  const { queryClient, asked } = await draw()
  const pages = () => asked.filter(({ url }) => url.searchParams.get('limit') === '50').length
  const tell = (count: number) => likeHandlers.likes_changed({ queryClient } as RealtimeContext, { count })
  expect(pages()).toBe(1)
  await act(async () => tell(1))
  expect(pages()).toBe(1)
  await act(async () => tell(2))
  await waitFor(() => expect(pages()).toBe(2))
})

test('The people who like me are refetched when one of them is blocked or unmatched', async () => {
  const { queryClient, asked } = await draw()
  const pages = () => asked.filter(({ url }) => url.searchParams.get('limit') === '50').length
  await act(async () => forgetPerson(queryClient, ines.id))
  await waitFor(() => expect(pages()).toBe(2))
})

test('A vertical swipe scrolls the page and leaves the card alone', async () => {
  const { decided } = await draw()
  const card = screen.getByRole('article')
  card.setPointerCapture = vi.fn()
  const at = (x: number, y: number) => ({
    ...{ pointerId: 1, pointerType: 'touch', isPrimary: true, button: 0, buttons: 1, clientX: x, clientY: y },
  })
  fireEvent.pointerDown(card, at(200, 400))
  fireEvent.pointerMove(card, at(205, 380))
  fireEvent.pointerMove(card, at(220, 100))
  expect(card.style.transform).toBe('')
  fireEvent.pointerUp(card, at(220, 100))
  expect(top()).toBe('Ines, 31')
  expect(decided).toEqual([])
})
