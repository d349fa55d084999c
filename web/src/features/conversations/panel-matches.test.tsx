import type { Match } from '@duet/contract/matches.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useSession } from '../../platform/session.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import type { Conversation } from './chat/conversation-list.ts'
import { removeConversation, useSelection } from './conversations.ts'
import { answersWith, conversation } from './talk.test-people.ts'
import { giveSizes } from './thread.test-sizes.ts'

const emitWithAck = vi.fn()
const socket = { connected: true, emit: vi.fn(), timeout: () => ({ emitWithAck }) }
vi.mock('../../platform/socket/socket.ts', () => ({ getSocket: () => socket }))
const { default: Panel } = await import('./panel.tsx')
await import('./thread/thread-pane.tsx')
const { chatOf } = await import('./browser-chat.ts')

const timestamp = new Date().toISOString()
const made = (id: string, name: string, hasMessages = false): Match => ({
  user: { id, name, photo: null },
  matchedAt: timestamp,
  openers: [],
  hasMessages,
})
function talk(id: string, name: string, text?: string): Conversation {
  const user = { id, name, photo: null, isOnline: false, isTyping: false }
  const ids = { id: `${id}1`, senderId: id, receiverId: jun.id, conversationId: id }
  const said = { message: text ?? '', timestamp, status: 'sent' as const, seq: 1, revision: 1 }
  return conversation(id, { user, lastMessage: text ? { ...ids, ...said } : null })
}

beforeEach(() => {
  giveSizes()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  signInAs(jun)
  useSession.setState({ socketStatus: 'connected' })
  useSelection.setState({ selectedId: null, newFromSeq: undefined, announced: null })
  emitWithAck.mockReset()
  emitWithAck.mockImplementation(answersWith())
  mockEndpoint('GET /api/user/:id', () => problem(404, 'not_found'))
  mockEndpoint('GET /api/messages/history', () => [talk('ines', 'Ines'), talk('maya', 'Maya', 'Hello')] as never)
  mockEndpoint('GET /api/matches', () => ({ matches: [made('ines', 'Ines'), made('maya', 'Maya')] }))
})
afterEach(resetEndpoints)

const draw = (path = '/chat') =>
  renderPage(<Panel />, { path, texts: ['conversations', 'thread', 'attachments', 'matches'] })
const address = () => screen.getByTestId('address').textContent

it('A match without messages shows as a face above the list and not in the list', async () => {
  const { user } = await draw()
  const row = within(await screen.findByRole('region', { name: 'New matches' }))
  expect(row.getAllByRole('button').map((button) => button.textContent)).toEqual(['IInes'])
  const list = within(screen.getByRole('list', { name: 'Conversations' }))
  expect(list.getAllByText('Maya')).toHaveLength(1)
  expect(list.queryByText('Ines')).toBeNull()
  await user.click(row.getByRole('button'))
  expect(address()).toBe('/chat/ines')
})

it('A match can be ended from the thread after a question that explains what happens', async () => {
  const { user } = await draw('/chat/ines')
  const ended = mockEndpoint('DELETE /api/matches/:userId', () => ({ ok: true }))
  await user.click(await screen.findByRole('button', { name: 'More' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Unmatch' }))
  const asking = within(await screen.findByRole('dialog', { name: 'Unmatch Ines?' }))
  expect(asking.getByText(/Your chat ends for both of you/)).toBeTruthy()
  mockEndpoint('GET /api/messages/history', () => [])
  mockEndpoint('GET /api/matches', () => ({ matches: [] }))
  await user.click(asking.getByRole('button', { name: 'Unmatch' }))
  await waitFor(() => expect(address()).toBe('/chat'))
  expect(ended[0]?.url.pathname).toBe('/api/matches/ines')
  expect(await screen.findByText('You and Ines are no longer matched.')).toBeTruthy()
})

it('The menu offers no unmatching without a match', async () => {
  mockEndpoint('GET /api/matches', () => ({ matches: [] }))
  const { user } = await draw('/chat/maya')
  await user.click(await screen.findByRole('button', { name: 'More' }))
  await screen.findByRole('menuitem', { name: 'Block' })
  expect(screen.queryByRole('menuitem', { name: 'Unmatch' })).toBeNull()
})

it('A conversation that ends while open leaves its address', async () => {
  const { queryClient } = await draw('/chat/ines')
  await screen.findByRole('log', { name: 'Conversation with Ines' })
  act(() => removeConversation(queryClient, 'ines'))
  await waitFor(() => expect(address()).toBe('/chat'))
})

it('A first message goes to the conversation it opens, and a failure to open is reported', async () => {
  const { queryClient } = await draw()
  await screen.findByRole('list', { name: 'Conversations' })
  expect(await chatOf(queryClient).writeFirst('ines', 'Hello Ines')).toBe(true)
  const sent = expect.objectContaining({ message: 'Hello Ines', receiverId: 'ines' })
  expect(emitWithAck).toHaveBeenCalledWith('send_message', sent)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  emitWithAck.mockResolvedValue({ error: { code: 'not_found' } })
  expect(await chatOf(queryClient).writeFirst('maya', 'Hello Maya')).toBe(false)
})
