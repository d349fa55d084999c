import type { Like } from '@duet/contract/likes.ts'
import type { Match } from '@duet/contract/matches.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { likeHandlers } from '../../app/events/likes.events.ts'
import type { RealtimeContext } from '../../platform/socket/socket.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { noNews, useMatchNews } from '../matches/match-news.ts'
import LikesScreen from './likes-screen.tsx'

const photo = { fileName: 'a.webp', url: '/media/a', alt: 'At the sea', width: 600, height: 800, blurhash: '' }
const card = { age: 31, images: [], photos: [], distanceKm: 5, area: 'Berlin', bio: '', interests: [] }
const make = (name: string, more: Partial<Like> = {}): Like => ({
  user: { ...card, id: `u_${name.toLowerCase()}`, name, active: 'today', verified: false, reasons: [], why: [] },
  item: null,
  comment: null,
  at: '2026-11-20T12:00:00.000Z',
  ...more,
})
const today = { likes: 1, limit: null, resetsAt: '2026-11-21T00:00:00.000Z' }
const completeness = {
  percent: 60,
  items: [
    { item: 'photo', done: true, weight: 20 },
    { item: 'bio', done: false, weight: 10, missing: 25 },
    { item: 'prompts', done: false, weight: 15, missing: 2 },
  ],
}
const own = (more: Partial<MyDetails> = {}) =>
  ({ id: 'u_jun', photos: [], paused: false, completeness, ...more }) as unknown as MyDetails

beforeEach(() => {
  signInAs(jun)
  useMatchNews.setState(noNews)
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  mockEndpoint('GET /api/user/myDetails', () => own())
})
afterEach(resetEndpoints)

const receive = (...likes: Like[]) =>
  mockEndpoint('GET /api/likes', () => ({ likes, count: likes.length, nextCursor: null }))
const decided = (...decisions: Like[]) => mockEndpoint('GET /api/decisions', () => ({ decisions, nextCursor: null }))
const answers = (match: Match | null = null) =>
  mockEndpoint('PUT /api/decisions/:userId', ({ body }) => ({
    decision: (body as { decision: 'like' }).decision,
    match,
    today,
    ...{ undoable: 1, undoNext: null },
  }))

const texts = ['likes', 'profiles', 'common', 'matches', 'discovery']
const draw = (path = '/likes') => renderPage(<LikesScreen />, { path, texts })
const row = async (name: string) => {
  const link = await screen.findByRole('link', { name: new RegExp(name) })
  return within(link.closest('li') as HTMLElement)
}

test('A received like shows the liked item and the comment', async () => {
  receive(
    make('Ines', { item: { kind: 'prompt', prompt: 'proud_of', answer: 'I bake.' }, comment: 'Bread or cake?' }),
    make('Noor', { item: { kind: 'photo', photo } }),
  )
  await draw()
  const ines = await row('Ines')
  expect(ines.getByText('Likes your answer', { exact: false }).textContent).toContain('I bake.')
  expect(ines.getByText('Bread or cake?')).toBeTruthy()
  expect(ines.getByRole('link').getAttribute('href')).toBe('/profile/u_ines')
  expect((await row('Noor')).getByRole('img', { name: 'At the sea' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Received 2' }).getAttribute('aria-current')).toBe('page')
})

test('A long comment is shortened until it is expanded', async () => {
  receive(make('Ines', { comment: 'I have so many questions about your bread. '.repeat(4) }))
  const { user } = await draw()
  const more = (await row('Ines')).getByRole('button', { name: 'More' })
  expect(more.getAttribute('aria-expanded')).toBe('false')
  await user.click(more)
  expect((await row('Ines')).getByRole('button', { name: 'Less' }).getAttribute('aria-expanded')).toBe('true')
})

test('Liking back makes a match and opens it', async () => {
  receive(make('Ines'), make('Noor'))
  const user = { id: 'u_ines', name: 'Ines', photo: null }
  const calls = answers({ user, matchedAt: today.resetsAt, openers: [], hasMessages: false })
  const page = await draw()
  receive(make('Noor'))
  await page.user.click((await row('Ines')).getByRole('button', { name: 'Like back, Ines' }))
  await waitFor(() => expect(useMatchNews.getState().shown?.user.name).toBe('Ines'))
  expect(calls[0]?.body).toEqual({ decision: 'like' })
  expect(screen.queryByRole('link', { name: /Ines/ })).toBeNull()
})

test('Liking back shows the match and their comment before the server has answered', async () => {
  receive(make('Ines', { item: { kind: 'prompt', prompt: 'proud_of', answer: 'I bake.' }, comment: 'Bread or cake?' }))
  let answer: (given: Response | Match | null) => void = () => undefined
  const waiting = new Promise<Response | Match | null>((resolve) => {
    answer = resolve
  })
  mockEndpoint('PUT /api/decisions/:userId', async () => {
    const given = await waiting
    if (given instanceof Response) return given
    return { decision: 'like' as const, match: given, today, undoable: 1, undoNext: null }
  })
  const page = await draw()
  await page.user.click((await row('Ines')).getByRole('button', { name: 'Like back, Ines' }))
  const theirs = { item: { kind: 'prompt', prompt: 'proud_of', answer: 'I bake.' }, comment: 'Bread or cake?' }
  expect(useMatchNews.getState().shown).toMatchObject({ user: { id: 'u_ines' }, certain: false, theirs, mine: null })
  const openers: Match['openers'] = [{ kind: 'hello' }]
  answer({ user: { id: 'u_ines', name: 'Ines', photo: null }, matchedAt: today.resetsAt, openers, hasMessages: false })
  await waitFor(() => expect(useMatchNews.getState().shown).toMatchObject({ certain: true, theirs, openers }))
})

test.each([
  ['the server refuses the like', () => problem(409, 'daily_limit_reached'), /all of today’s likes/],
  [
    'they retracted their like meanwhile',
    () => ({ decision: 'like' as const, match: null, today, undoable: 1, undoNext: null }),
    'You like Ines. It isn’t a match yet.',
  ],
])('A match shown too early disappears when %s', async (_, given, words) => {
  receive(make('Ines'))
  let answer: () => void = () => undefined
  const waiting = new Promise<void>((resolve) => {
    answer = resolve
  })
  mockEndpoint('PUT /api/decisions/:userId', async () => {
    await waiting
    return given()
  })
  const page = await draw()
  await page.user.click((await row('Ines')).getByRole('button', { name: 'Like back, Ines' }))
  expect(useMatchNews.getState().shown?.certain).toBe(false)
  answer()
  expect(await screen.findByText(words)).toBeTruthy()
  expect(useMatchNews.getState()).toMatchObject({ shown: null, told: [] })
})

test('A pass can be undone', async () => {
  decided(make('Ines'))
  const taken = mockEndpoint('DELETE /api/decisions/:userId', () => ({ ok: true }))
  const page = await draw('/likes?tab=passes')
  const ines = await row('Ines')
  decided()
  await page.user.click(ines.getByRole('button', { name: 'Undo pass, Ines' }))
  expect(await screen.findByText('Ines can show up in your deck again.')).toBeTruthy()
  expect(taken.map(({ url }) => url.pathname)).toEqual(['/api/decisions/u_ines'])
})

test('Passing removes the card immediately, moves the focus on and can be undone', async () => {
  receive(make('Ines'), make('Noor'))
  answers()
  const page = await draw()
  const pass = (await row('Ines')).getByRole('button', { name: 'Pass, Ines' })
  receive(make('Noor'))
  await page.user.click(pass)
  await waitFor(() => expect(screen.queryByRole('link', { name: /Ines/ })).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /Noor/ }))
  const taken = mockEndpoint('DELETE /api/decisions/:userId', () => ({ ok: true }))
  receive(make('Ines'), make('Noor'))
  await page.user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await row('Ines')).toBeTruthy()
  expect(taken[0]?.url.pathname).toBe('/api/decisions/u_ines')
})

test('A refused answer brings the card back', async () => {
  receive(make('Ines'))
  mockEndpoint('PUT /api/decisions/:userId', () => problem(503, 'unavailable'))
  const page = await draw()
  await page.user.click((await row('Ines')).getByRole('button', { name: 'Like back, Ines' }))
  expect(await row('Ines')).toBeTruthy()
})

test('Without a connection the card returns to its place, and cards answered meanwhile stay away', async () => {
  receive(make('Ines'), make('Noor'), make('Zoe'))
  const page = await draw()
  let fail: () => void = () => undefined
  mockEndpoint('PUT /api/decisions/:userId', ({ url, body }) =>
    url.pathname.endsWith('u_noor')
      ? new Promise<never>((_, reject) => {
          fail = () => reject(new TypeError('the line is broken'))
        })
      : { decision: (body as { decision: 'like' }).decision, match: null, today, undoable: 1, undoNext: null },
  )
  await page.user.click((await row('Noor')).getByRole('button', { name: 'Pass, Noor' }))
  await page.user.click((await row('Zoe')).getByRole('button', { name: 'Pass, Zoe' }))
  await waitFor(() => expect(screen.queryByRole('link', { name: /Noor|Zoe/ })).toBeNull())
  mockEndpoint('GET /api/likes', () => {
    throw new TypeError('the line is broken')
  })
  await act(async () => fail())
  expect(await row('Noor')).toBeTruthy()
  const links = within(screen.getByRole('list', { name: 'People who like you' })).getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/profile/u_ines', '/profile/u_noor'])
})

test('Two clicks before the list rerenders count as one answer', async () => {
  receive(make('Ines'), make('Noor'))
  const calls = answers()
  const { queryClient } = await draw()
  const ines = await row('Ines')
  const [pass, like] = [
    ines.getByRole('button', { name: 'Pass, Ines' }),
    ines.getByRole('button', { name: 'Like back, Ines' }),
  ]
  receive(make('Noor'))
  await act(async () => {
    like.click()
    pass.click()
  })
  await waitFor(() => expect(queryClient.isMutating()).toBe(0))
  expect(calls.map(({ body }) => body)).toEqual([{ decision: 'like' }])
})

test('A like can be retracted, and undoing that restores its comment', async () => {
  const like = make('Kai', { item: { kind: 'photo', photo }, comment: 'Where is that?' })
  const lists = decided(like)
  receive()
  mockEndpoint('DELETE /api/decisions/:userId', () => ({ ok: true }))
  const page = await draw('/likes?tab=sent')
  const kai = await row('Kai')
  expect(lists[0]?.url.searchParams.get('decision')).toBe('like')
  decided()
  await page.user.click(kai.getByRole('button', { name: 'Undo like, Kai' }))
  expect(await screen.findByText('You no longer like Kai.')).toBeTruthy()
  const calls = answers()
  const undo = screen.getAllByRole('button', { name: 'Undo' })
  await page.user.click(undo[0] as HTMLElement)
  const item = { kind: 'photo', fileName: 'a.webp' }
  await waitFor(() => expect(calls[0]?.body).toEqual({ decision: 'like', item, comment: 'Where is that?' }))
})

test.each([
  ['passes', 'pass', ['Undo pass, Kai', 'Like, Kai']],
  ['later', 'later', ['Pass, Kai', 'Like, Kai']],
])('The list of %s offers its own actions', async (tab, decision, names) => {
  const lists = decided(make('Kai'))
  receive()
  await draw(`/likes?tab=${tab}`)
  const buttons = (await row('Kai')).getAllByRole('button')
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(names)
  expect(lists[0]?.url.searchParams.get('decision')).toBe(decision)
})

test('The address contains the open list', async () => {
  receive(make('Ines'))
  decided()
  const { user } = await draw()
  await user.click(await screen.findByRole('link', { name: 'Passes' }))
  expect(screen.getByTestId('address').textContent).toBe('/likes?tab=passes')
  expect(await screen.findByText(/haven’t passed on anyone/)).toBeTruthy()
})

test('An empty list of received likes suggests profile improvements, the most helpful first', async () => {
  receive()
  await draw()
  const tips = within((await screen.findByText('What would help your profile most')).closest('section') as HTMLElement)
  expect(tips.getAllByRole('listitem').map((tip) => tip.textContent)).toEqual([
    '2 more prompt answers+15%',
    '25 more characters in your bio+10%',
  ])
  expect(screen.getByRole('link', { name: 'Finish your profile' }).getAttribute('href')).toBe('/profile/u_jun')
})

test('A paused profile without likes is told why', async () => {
  receive()
  mockEndpoint('GET /api/user/myDetails', () => own({ paused: true }))
  await draw()
  expect(await screen.findByRole('link', { name: 'Go to Settings' })).toBeTruthy()
})

test('A list that failed to load shows an error and can be retried', async () => {
  mockEndpoint('GET /api/likes', () => problem(500, 'internal'))
  const { user } = await draw()
  const retry = await screen.findByRole('button', { name: 'Retry' })
  receive(make('Ines'))
  await user.click(retry)
  expect(await row('Ines')).toBeTruthy()
})

test('A like that arrives live shows immediately and raises the count', async () => {
  receive(make('Ines'))
  const { queryClient } = await draw()
  await row('Ines')
  receive(make('Noor'), make('Ines'))
  act(() => likeHandlers.likes_changed({ queryClient } as RealtimeContext, { count: 2 }))
  expect(await row('Noor')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Received 2' })).toBeTruthy()
})

test('Answering a like refetches no list, and undoing it restores the person and the count', async () => {
  const lists = receive(make('Ines'), make('Noor'))
  answers()
  const { queryClient, user } = await draw()
  const ines = await row('Ines')
  await screen.findByRole('link', { name: 'Received 2' })
  const read = lists.length
  await user.click(ines.getByRole('button', { name: 'Pass, Ines' }))
  await screen.findByRole('link', { name: 'Received 1' })
  const undo = await screen.findAllByRole('button', { name: 'Undo' })
  act(() => likeHandlers.likes_changed({ queryClient } as RealtimeContext, { count: 1 }))
  mockEndpoint('DELETE /api/decisions/:userId', () => ({ ok: true }))
  await user.click(undo.at(-1) as HTMLElement)
  expect(await row('Ines')).toBeTruthy()
  await screen.findByRole('link', { name: 'Received 2' })
  await waitFor(() => expect(queryClient.isMutating()).toBe(0))
  expect(lists.length).toBe(read)
})
