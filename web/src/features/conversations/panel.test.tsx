import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import { preloadTexts, startI18n } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session.ts'
import type { Conversation, Message } from './conversation-list.ts'
import { conversationsKey, useSelection } from './conversations.ts'

const emit = vi.fn()
const emitWithAck = vi.fn()
let connected: object | null
vi.mock('../../platform/socket.ts', () => ({ getSocket: () => connected }))
const { default: Panel } = await import('./panel.tsx')
const { sendMessage } = await import('./outgoing.ts')

const user = { id: 'me', name: 'Jun', email: '', images: [], token: 't', isSuperAdmin: false, onboardingComplete: true }
const timestamp = new Date().toISOString()
const said = (id: string, from: string, seq: number): Message => {
  const receiverId = from === 'me' ? id : 'me'
  return {
    id: `${id}${seq}`,
    message: `Words ${seq}`,
    timestamp,
    senderId: from,
    receiverId,
    status: 'sent',
    seq,
    conversationId: id,
  }
}
function talk(id: string, name: string, last: Message, unreadCount = 0): Conversation {
  const peer = { id, name, photo: null, isOnline: true, isTyping: false }
  return { id, user: peer, messages: [last], lastMessage: last, unreadCount, readSeq: 0 }
}
let queryClient: QueryClient

beforeEach(async () => {
  localStorage.clear()
  connected = { connected: true, emit, timeout: () => ({ emitWithAck }) }
  emit.mockReset()
  emitWithAck.mockReset()
  await startI18n('en')
  await preloadTexts('conversations')
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

function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/chat']}>
        <Panel />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return screen.getByRole('region', { name: 'Messages' })
}
const opens = (withUser: string) => expect(emitWithAck).toHaveBeenCalledWith('get_or_create_conversation', { withUser })

it('lists conversations by whose turn it is', () => {
  const list = within(show()).getByRole('list', { name: 'Conversations' })
  expect(within(within(list).getByRole('list', { name: 'Your turn' })).getByText('Maya')).toBeTruthy()
  const theirs = within(within(list).getByRole('list', { name: 'Their turn' }))
  expect(theirs.getByText('You: Words 1')).toBeTruthy()
})

it('opens a conversation: the count resets, and the server is told that it was read', async () => {
  emitWithAck.mockResolvedValue({
    id: 'maya',
    messages: [said('maya', 'maya', 1), said('maya', 'maya', 2)],
    hasMore: false,
  })
  show()
  await userEvent.click(screen.getByRole('button', { name: /Maya/ }))
  const log = await screen.findByRole('log', { name: 'Conversation with Maya' })
  opens('maya')
  expect(emit).toHaveBeenCalledWith('mark_as_read', { conversationId: 'maya', userId: 'me' })
  await within(log).findByText('Words 2')
  expect(within(log).getByText('New')).toBeTruthy()
  expect(queryClient.getQueryData<Conversation[]>(conversationsKey)?.[0]?.unreadCount).toBe(0)
})

it('tells the server of no reading when nothing is unread', async () => {
  emitWithAck.mockResolvedValue({ id: 'kofi', messages: [said('kofi', 'me', 1)], hasMore: false })
  show()
  await userEvent.click(screen.getByRole('button', { name: /Kofi/ }))
  await screen.findByRole('log', { name: 'Conversation with Kofi' })
  opens('kofi')
  expect(emit).not.toHaveBeenCalledWith('mark_as_read', expect.anything())
})

it('only logs a conversation that cannot be opened', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  emitWithAck.mockResolvedValue({ error: { code: 'not_found' } })
  show()
  await userEvent.click(screen.getByRole('button', { name: /Kofi/ }))
  await vi.waitFor(() => expect(logged).toHaveBeenCalledTimes(1))
})

it('logs "Socket not connected." when there is no socket, and sends nothing', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  connected = null
  useSelection.setState({ selectedId: 'maya' })
  expect(sendMessage(queryClient, 'Hello')).toBe(false)
  expect(logged).toHaveBeenCalledWith('Socket not connected.')
})

it('says quietly that it is reconnecting', async () => {
  show()
  act(() => useSession.setState({ socketStatus: 'reconnecting' }))
  expect(await screen.findByText('Reconnecting…')).toBeTruthy()
})

it('announces what comes in', () => {
  show()
  act(() => useSelection.setState({ announced: { name: 'Maya', text: 'Hello' } }))
  expect(screen.getByText('Maya: Hello').getAttribute('aria-live')).toBe('polite')
})
