import type { Message as WireMessage } from '@duet/contract/conversations.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { conversationsKey } from '../../cache/keys.ts'
import { AddressBar } from '../../platform/address/address.tsx'
import { preloadTexts, startI18n } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session.ts'
import { eventually } from '../../test/eventually.ts'
import type { Conversation } from './chat/conversation-list.ts'
import { useSelection } from './conversations.ts'
import { conversation } from './talk.test-people.ts'
import { giveSizes } from './thread.test-sizes.ts'

const emit = vi.fn()
const emitWithAck = vi.fn()
let connected: object | null
vi.mock('../../platform/socket/socket.ts', () => ({ getSocket: () => connected }))
const { default: Panel } = await import('./panel.tsx')
await import('./thread/thread-pane.tsx')
const { chatOf } = await import('./browser-chat.ts')

const user = { id: 'me', name: 'Jun', email: '', images: [], token: 't', isSuperAdmin: false, onboardingComplete: true }
const timestamp = new Date().toISOString()
const said = (id: string, from: string, seq: number): WireMessage => {
  const ids = { id: `${id}${seq}`, senderId: from, receiverId: from === 'me' ? id : 'me', conversationId: id }
  return { ...ids, message: `Words ${seq}`, timestamp, status: 'sent', seq, revision: seq }
}
function talk(id: string, name: string, last: WireMessage, unreadCount = 0): Conversation {
  const peer = { id, name, photo: null, isOnline: true, isTyping: false }
  return conversation(id, { user: peer, messages: [last], lastMessage: last, unreadCount })
}
let queryClient: QueryClient

beforeEach(async () => {
  giveSizes()
  localStorage.clear()
  connected = { connected: true, emit, timeout: () => ({ emitWithAck }) }
  emit.mockReset()
  emitWithAck.mockReset()
  await startI18n('en')
  await preloadTexts('conversations', 'thread', 'attachments', 'matches')
  useSession.setState({ user, socketStatus: 'connected' })
  useSelection.setState({ selectedId: null, newFromSeq: undefined, announced: null })
  queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })
  queryClient.setQueryData(conversationsKey, [
    talk('maya', 'Maya', said('maya', 'maya', 1), 2),
    talk('kofi', 'Kofi', said('kofi', 'me', 1)),
  ])
  queryClient.setQueryData(['matches'], [])
  for (const id of ['maya', 'kofi']) queryClient.setQueryData(['profile', id], { distanceKm: 10, area: 'Berlin' })
})

afterEach(() => void vi.useRealTimers())

function show() {
  window.history.replaceState(null, '', '/chat')
  render(
    <QueryClientProvider client={queryClient}>
      <AddressBar>
        <Panel />
      </AddressBar>
    </QueryClientProvider>,
  )
  return screen.getByRole('region', { name: 'Messages' })
}
const opens = (withUser: string) =>
  eventually(() => expect(emitWithAck).toHaveBeenCalledWith('get_or_create_conversation', { withUser }))

it('Conversations are grouped by whose turn it is', () => {
  const list = within(show()).getByRole('list', { name: 'Conversations' })
  expect(within(within(list).getByRole('list', { name: 'Your turn' })).getByText('Maya')).toBeTruthy()
  const theirs = within(within(list).getByRole('list', { name: 'Their turn' }))
  expect(theirs.getByRole('button', { name: /You: Words 1/ })).toBeTruthy()
})

it('Opening a conversation resets its count and sends a read receipt', async () => {
  emitWithAck.mockResolvedValue({
    id: 'maya',
    messages: [said('maya', 'maya', 1), said('maya', 'maya', 2)],
    hasMore: false,
  })
  show()
  await userEvent.click(screen.getByRole('button', { name: /^Maya/ }))
  const log = await screen.findByRole('log', { name: 'Conversation with Maya' })
  await opens('maya')
  const read = expect.objectContaining({ conversationId: 'maya', userId: 'me' })
  await eventually(() => expect(emit).toHaveBeenCalledWith('mark_as_read', read, expect.any(Function)))
  await within(log).findByText('Words 2')
  expect(await within(log).findByText('New')).toBeTruthy()
  expect(queryClient.getQueryData<Conversation[]>(conversationsKey)?.[0]?.unreadCount).toBe(0)
})

it('A thread with only the last message from the list waits for its page', async () => {
  const last = said('kofi', 'kofi', 2)
  queryClient.removeQueries({ queryKey: conversationsKey })
  vi.stubGlobal('fetch', async () => Response.json([talk('kofi', 'Kofi', last)]))
  let answer: (page: object) => void = () => undefined
  emitWithAck.mockReturnValue(new Promise((resolve) => (answer = resolve)))
  show()
  await userEvent.click(await screen.findByRole('button', { name: /^Kofi.*Words 2/ }))
  await opens('kofi')
  expect(screen.queryByRole('log')).toBeNull()
  await act(async () => answer({ id: 'kofi', messages: [said('kofi', 'me', 1), last], hasMore: false }))
  const log = await screen.findByRole('log', { name: 'Conversation with Kofi' })
  await within(log).findByText('Words 1')
  vi.unstubAllGlobals()
})

it('Opening a conversation without unread messages sends no read receipt', async () => {
  emitWithAck.mockResolvedValue({ id: 'kofi', messages: [said('kofi', 'me', 1)], hasMore: false })
  show()
  await userEvent.click(screen.getByRole('button', { name: /^Kofi/ }))
  const log = await screen.findByRole('log', { name: 'Conversation with Kofi' })
  await opens('kofi')
  await within(log).findByText('Words 1')
  expect(emit.mock.calls.map(([name]) => name)).not.toContain('mark_as_read')
})

it('A conversation that can’t be opened is only logged', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  emitWithAck.mockResolvedValue({ error: { code: 'not_found' } })
  show()
  await userEvent.click(screen.getByRole('button', { name: /^Kofi/ }))
  await eventually(() => expect(logged).toHaveBeenCalledTimes(1))
  expect(await chatOf(queryClient).pages.open('kofi')).toBeNull()
})

it('Without a selected conversation nothing is sent or logged', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(chatOf(queryClient).send('Hello')).toBe(false)
  expect(emitWithAck).not.toHaveBeenCalled()
  expect(logged).not.toHaveBeenCalled()
})

it('Without a socket, sending logs "Socket not connected." and sends nothing', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  connected = null
  useSelection.setState({ selectedId: 'maya' })
  expect(chatOf(queryClient).send('Hello')).toBe(false)
  expect(logged).toHaveBeenCalledWith('Socket not connected.')
})

it.each([
  ['connecting', 'Connecting…', 4_000],
  ['reconnecting', 'Reconnecting…', 2_000],
] as const)('A line says that it is %s once that takes longer than usual', (socketStatus, words, patience) => {
  vi.useFakeTimers()
  show()
  act(() => useSession.setState({ socketStatus }))
  act(() => void vi.advanceTimersByTime(patience - 100))
  expect(screen.queryByText(words)).toBeNull()
  act(() => void vi.advanceTimersByTime(200))
  expect(screen.getByText(words)).toBeTruthy()
})

it('Screen readers hear a single message in full and several from one person as a number', () => {
  vi.useFakeTimers()
  show()
  const hear = (id: string, name: string, text: string) =>
    act(() => useSelection.setState({ announced: { id, name, text, kind: 'text' } }))
  hear('maya', 'Maya', 'Hello')
  act(() => void vi.advanceTimersByTime(1_000))
  expect(screen.getByText('Maya: Hello').closest('[aria-live]')?.getAttribute('aria-live')).toBe('polite')
  // The announcement must be outside the panel, because phones hide the panel on other screens.
  expect(screen.getByText('Maya: Hello').closest('section')).toBeNull()
  const before = screen.getByText('Maya: Hello')
  hear('maya', 'Maya', 'Hello')
  act(() => void vi.advanceTimersByTime(1_000))
  // Screen readers announce identical text again only if it is in a new node.
  expect(screen.getByText('Maya: Hello')).not.toBe(before)
  for (const text of ['one', 'two', 'three']) hear('maya', 'Maya', text)
  hear('kofi', 'Kofi', 'Hi')
  act(() => void vi.advanceTimersByTime(1_000))
  expect(screen.getByText('3 new messages from Maya. Kofi: Hi')).toBeTruthy()
})
