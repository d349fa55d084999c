import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { conversationsKey } from '../../cache/keys.ts'
import { useSession } from '../../platform/session.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import type { Message } from './chat/conversation-list.ts'
import { keepDraft } from './composer/drafts.ts'
import { useSelection } from './conversations.ts'
import { answersWith, conversation, message, waiting } from './talk.test-people.ts'
import { giveSizes } from './thread.test-sizes.ts'

const emitWithAck = vi.fn()
const socket = { connected: true, emit: vi.fn(), timeout: () => ({ emitWithAck }) }
vi.mock('../../platform/socket/socket.ts', () => ({ getSocket: () => socket }))
const { default: Panel } = await import('./panel.tsx')
await import('./thread/thread-pane.tsx')
await import('./thread/person-beside.tsx')

const facts = { heightCm: null, children: null, smoking: null, drinking: null, diet: null, languages: [], faith: null }
const maya = {
  ...{ id: 'maya', name: 'Maya', age: 31, photos: [], bio: 'I mend old radios.', interests: ['ceramics'], intents: [] },
  ...{ gender: null, genderText: null, pronouns: null, area: 'Berlin', distanceKm: null, verified: false, facts },
  ...{ prompts: [{ prompt: 'small_joy', answer: 'The first coffee' }], questions: { asked: 0, agreed: 0 }, why: [] },
  ...{ active: null, matched: true, mayMessage: true },
}
const person = (id: string, name: string) => ({ id, name, photo: null, isOnline: false, isTyping: false })
let width: number

beforeEach(() => {
  giveSizes()
  localStorage.clear()
  width = 1440
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: width >= Number(/min-width: (\d+)px/.exec(query)?.[1]) }))
  signInAs({ ...jun, id: 'me' })
  useSession.setState({ socketStatus: 'connected' })
  useSelection.setState({ selectedId: null, newFromSeq: undefined, announced: null, goneId: undefined })
  emitWithAck.mockReset()
  emitWithAck.mockImplementation(answersWith())
  mockEndpoint('GET /api/user/:id', ({ url }) =>
    url.pathname.endsWith('/maya') ? (maya as never) : problem(404, 'not_found'),
  )
  mockEndpoint('GET /api/user/myDetails', () => problem(503, 'unavailable'))
  mockEndpoint('GET /api/matches', () => ({ matches: [] }))
  const kofi = message(1, { senderId: 'kofi', conversationId: 'kofi', message: 'Hi from Kofi' })
  mockEndpoint(
    'GET /api/messages/history',
    () =>
      [
        conversation('maya', { user: person('maya', 'Maya'), lastMessage: message(1) }),
        conversation('kofi', { user: person('kofi', 'Kofi'), lastMessage: kofi }),
      ] as never,
  )
})
afterEach(resetEndpoints)

const texts = ['conversations', 'thread', 'attachments', 'matches', 'profiles', 'catalogue']
const draw = (path = '/chat') => renderPage(<Panel isPlace />, { path, texts })
const row = (name: RegExp) => screen.findByRole('button', { name })
const address = () => screen.getByTestId('address').textContent

it('The chats screen shows the list, and a hint while no chat is open', async () => {
  await draw()
  await row(/^Maya/)
  expect(screen.getByText('Choose a chat to read it here.')).toBeTruthy()
  expect(screen.queryByRole('complementary')).toBeNull()
})

it('A chat opens beside the list under its own address, with its row marked and the profile shown', async () => {
  const { user } = await draw()
  await user.click(await row(/^Maya/))
  await screen.findByRole('log', { name: 'Conversation with Maya' })
  expect(address()).toBe('/chat/maya')
  expect((await row(/^Maya/)).getAttribute('aria-current')).toBe('true')
  expect((await row(/^Kofi/)).getAttribute('aria-current')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Back' })).toBeNull()
  const profile = within(await screen.findByRole('complementary', { name: 'Maya’s profile' }))
  expect(profile.getByText('I mend old radios.')).toBeTruthy()
  expect(profile.getByText('The first coffee')).toBeTruthy()
  expect(profile.getByRole('link', { name: 'View profile' }).getAttribute('href')).toBe('/profile/maya')
  await user.click(await row(/^Kofi/))
  await screen.findByRole('log', { name: 'Conversation with Kofi' })
  expect(address()).toBe('/chat/kofi')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
})

it('Going back to the list on a phone adds no history entry', async () => {
  width = 390
  const { user } = await renderPage(<Panel />, { path: '/chat', texts })
  await user.click(await row(/^Maya/))
  await user.click(await screen.findByRole('button', { name: 'Back' }))
  await waitFor(() => expect(address()).toBe('/chat'))
  expect(window.history.state).toBeNull()
})

it('A narrow window shows the chat without the profile', async () => {
  width = 1280
  await draw('/chat/maya')
  await screen.findByRole('log', { name: 'Conversation with Maya' })
  expect(screen.queryByRole('complementary')).toBeNull()
})

it('A draft shows in the list, except for the open chat', async () => {
  const { user } = await draw()
  await row(/^Maya/)
  act(() => keepDraft('kofi', 'See you at'))
  expect(await row(/^Kofi.*Draft: See you at/)).toBeTruthy()
  await user.click(await row(/^Kofi/))
  await row(/^Kofi.*Hi from Kofi/)
  act(() => keepDraft('kofi', ''))
  await user.click(await row(/^Maya/))
  expect(await row(/^Kofi.*Hi from Kofi/)).toBeTruthy()
})

it('A row says whether my last message is being sent or wasn’t sent', async () => {
  const { queryClient } = await draw()
  await row(/^Maya/)
  const last = (id: string, name: string, lastMessage: Message) =>
    conversation(id, { user: person(id, name), lastMessage })
  act(
    () =>
      void queryClient.setQueryData(conversationsKey, [
        last('maya', 'Maya', waiting('m2')),
        last('kofi', 'Kofi', waiting('m3', { delivery: 'failed' })),
      ]),
  )
  expect(await row(/^Maya.*Sending…/)).toBeTruthy()
  expect(await row(/^Kofi.*Not sent/)).toBeTruthy()
})
