import type { Match } from '@duet/contract/matches.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { matchHandlers } from '../../app/events/matches.events.ts'
import { conversationsKey, matchesKey } from '../../cache/keys.ts'
import type { RealtimeContext } from '../../platform/socket/socket.ts'
import { MatchDialog } from '../../screens/match/match-dialog.tsx'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { useSelection } from '../conversations/conversations.ts'
import { closeMatch, noNews, useMatchNews } from './match-news.ts'
import { expectMatch, showMatch } from './matches.tsx'

const ines: Match = {
  user: { id: 'u_ines', name: 'Ines', photo: null },
  matchedAt: '2026-11-20T12:00:00.000Z',
  openers: [
    { kind: 'interest', interest: 'long_walks' },
    { kind: 'prompt', prompt: 'proud_of', answer: 'I learned to bake.' },
    { kind: 'hello' },
  ],
  hasMessages: false,
}
const walks = 'We both like long walks. What got you into it?'

beforeEach(() => {
  signInAs(jun)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  useMatchNews.setState(noNews)
  useSelection.setState({ selectedId: null })
  mockEndpoint('GET /api/user/myDetails', () => problem(503, 'unavailable'))
})
afterEach(resetEndpoints)

const texts = ['matches', 'catalogue', 'conversations']
async function draw(writeFirst = vi.fn().mockResolvedValue(true)) {
  const page = await renderPage(
    <>
      <button type="button">Before</button>
      <MatchDialog writeFirst={writeFirst} />
    </>,
    { texts },
  )
  return { ...page, writeFirst }
}
const dialog = () => screen.findByRole('dialog', { name: 'It’s a match: you and Ines' })
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const words = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'First message to Ines' })

test('A match opens from anywhere, shows both faces and is announced', async () => {
  await draw()
  act(() => showMatch(ines))
  const box = within(await dialog())
  expect(box.getByRole('img', { name: 'Ines' })).toBeTruthy()
  expect(box.getByRole('img', { name: 'Jun' })).toBeTruthy()
  const said = screen.getByText('It’s a match: you and Ines', { selector: '[aria-live]' })
  expect(said.getAttribute('aria-live')).toBe('polite')
})

test('A match isn’t shown to the next person who signs in', async () => {
  await draw()
  act(() => showMatch(ines))
  await dialog()
  act(() => signInAs({ ...jun, id: 'u_kai', token: 'his' }))
  await gone()
})

test('The match panel suggests three openers, and a chosen one fills the message box', async () => {
  const { user } = await draw()
  act(() => showMatch(ines))
  const openers = within(within(await dialog()).getByRole('region', { name: 'Conversation starters' })).getAllByRole(
    'button',
  )
  expect(openers.map((opener) => opener.textContent)).toEqual([
    walks,
    '“I learned to bake” – I need to hear the story behind that.',
    'Hi Ines, nice to meet you. What was the best part of your week?',
  ])
  await user.click(screen.getByRole('button', { name: walks }))
  expect(words().value).toBe(walks)
  expect(screen.getByRole('button', { name: walks }).getAttribute('aria-pressed')).toBe('true')
})

const likedAnswer = { item: { kind: 'prompt' as const, prompt: 'proud_of' as const, answer: 'I bake.' } }

test('A comment sent with a like is shown with the liked item and asks for a reply', async () => {
  await draw()
  const theirs = { ...likedAnswer, comment: 'Bread or cake?' }
  act(() => showMatch(ines, { mine: { item: null, comment: 'Hello there' }, theirs }))
  const box = within(await dialog())
  expect(box.getByText('Ines liked your answer').closest('figure')?.textContent).toContain('I bake.Bread or cake?')
  expect(box.getByText('You wrote to Ines').closest('figure')?.textContent).toContain('Hello there')
  expect(box.getByRole('textbox', { name: 'Reply to Ines' })).toBeTruthy()
  expect(box.queryByRole('region', { name: 'Conversation starters' })).toBeNull()
})

test('A like without a comment shows the liked item and suggests openers', async () => {
  await draw()
  act(() => showMatch(ines, { mine: null, theirs: { ...likedAnswer, comment: null } }))
  const box = within(await dialog())
  expect(box.getByText('I bake.')).toBeTruthy()
  expect(box.getByRole('textbox', { name: 'First message to Ines' })).toBeTruthy()
  expect(box.getByRole('region', { name: 'Conversation starters' })).toBeTruthy()
})

test('An expected match shows immediately, allows sending once confirmed, and is announced once', async () => {
  const { user } = await draw()
  act(() => expectMatch(ines.user, { mine: null, theirs: null }))
  await dialog()
  await user.type(words(), 'Hello')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  act(() => showMatch(ines))
  expect(words().value).toBe('Hello')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(false)
  expect(screen.getByRole('button', { name: walks })).toBeTruthy()
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Discard' }))
  act(() => showMatch(ines))
  await gone()
})

test('An expected match that was closed stays closed when the server confirms it', async () => {
  const { user } = await draw()
  act(() => expectMatch(ines.user, { mine: null, theirs: null }))
  await dialog()
  await user.keyboard('{Escape}')
  act(() => showMatch(ines))
  await gone()
})

test('Sending the first message opens the chat', async () => {
  const { user, writeFirst, queryClient } = await draw()
  act(() => showMatch(ines))
  await dialog()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  await user.type(words(), 'Hello there ')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(writeFirst).toHaveBeenCalledWith(queryClient, 'u_ines', 'Hello there')
  await gone()
  expect(screen.getByTestId('address').textContent).toBe('/chat/u_ines')
})

test('A first message that can’t be sent stays in the box, with an error', async () => {
  const { user } = await draw(vi.fn().mockResolvedValue(false))
  act(() => showMatch(ines))
  await dialog()
  await user.type(words(), 'Hello')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Your message wasn’t sent. Please try again.')).toBeTruthy()
  expect(words().value).toBe('Hello')
  expect(screen.getByTestId('address').textContent).toBe('/home')
})

test('“Keep browsing” and Escape close the match panel, and the focus returns', async () => {
  const { user } = await draw()
  const before = screen.getByRole('button', { name: 'Before' })
  before.focus()
  act(() => showMatch(ines))
  expect((await dialog()).contains(document.activeElement)).toBe(true)
  await user.keyboard('{Escape}')
  await gone()
  await waitFor(() => expect(document.activeElement).toBe(before))
  act(() => showMatch({ ...ines, user: { ...ines.user, id: 'u_noor' } }))
  await dialog()
  await user.click(screen.getByRole('button', { name: 'Keep browsing' }))
  await gone()
})

function context(queryClient: RealtimeContext['queryClient']) {
  return { queryClient, viewerId: 'u_jun' } as RealtimeContext
}

test('A match made elsewhere shows a toast that opens the chat', async () => {
  const { user, queryClient } = await draw()
  act(() => matchHandlers.match(context(queryClient), ines))
  await user.click(await screen.findByRole('button', { name: 'Open chat' }))
  expect(screen.getByTestId('address').textContent).toBe('/chat/u_ines')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('The person who has just liked sees the panel and no toast, even if the event comes before the answer', async () => {
  const { queryClient } = await draw()
  const kai = { ...ines, user: { ...ines.user, id: 'u_kai', name: 'Kai' } }
  let answer: () => void = () => undefined
  const liked = new Promise<void>((resolve) => {
    answer = resolve
  })
  const mutations = queryClient.getMutationCache()
  const deciding = mutations
    .build(queryClient, { mutationKey: ['decisions'], mutationFn: () => liked, onSuccess: () => showMatch(kai) })
    .execute(undefined)
  act(() => matchHandlers.match(context(queryClient), kai))
  await act(async () => {
    answer()
    await deciding
    await new Promise((resolve) => setTimeout(resolve, 300))
  })
  expect(screen.getAllByText('It’s a match: you and Kai', { selector: 'h2' })).toHaveLength(1)
  expect(screen.queryByText('It’s a match: you and Kai', { selector: '[data-sonner-toast] *' })).toBeNull()
})

test('The end of a match removes the conversation and tells people who have it open', async () => {
  const { queryClient } = await draw()
  const user = { ...ines.user, isOnline: false, isTyping: false }
  queryClient.setQueryData(matchesKey, [ines])
  queryClient.setQueryData(conversationsKey, [{ id: 'u_ines', user, lastMessage: null, unreadCount: 0, readSeq: 0 }])
  useSelection.setState({ selectedId: 'u_ines' })
  act(() => matchHandlers.match_ended(context(queryClient), { userId: 'u_ines' }))
  expect(queryClient.getQueryData(conversationsKey)).toEqual([])
  expect(queryClient.getQueryData(matchesKey)).toEqual([])
  expect(useSelection.getState().selectedId).toBeNull()
  expect(await screen.findByText('Your chat with Ines has ended.')).toBeTruthy()
})

test('A second match waits until the panel of the first is closed', async () => {
  const { user } = await draw()
  act(() => showMatch(ines))
  await dialog()
  await user.type(words(), 'Hello')
  const [noor, kai] = ['Noor', 'Kai'].map((name) => ({ id: `u_${name.toLowerCase()}`, name, photo: null }))
  act(() => expectMatch(noor!, { mine: null, theirs: null }))
  act(() => showMatch({ ...ines, user: kai! }))
  act(() => showMatch({ ...ines, user: noor! }))
  expect(words().value).toBe('Hello')
  act(() => closeMatch('u_kai'))
  act(() => closeMatch('u_ines'))
  expect(await screen.findByRole('dialog', { name: 'It’s a match: you and Noor' })).toBeTruthy()
  expect(useMatchNews.getState().shown?.certain).toBe(true)
  act(() => closeMatch('u_noor'))
  await gone()
})
