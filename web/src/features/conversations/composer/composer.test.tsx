import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { conversationsKey } from '../../../cache/keys.ts'
import { startI18n } from '../../../platform/i18n.ts'
import { useSession } from '../../../platform/session.ts'
import { eventually } from '../../../test/eventually.ts'
import { chatOf } from '../browser-chat.ts'
import type { Conversation } from '../chat/conversation-list.ts'
import { useSelection } from '../conversations.ts'
import { conversation } from '../talk.test-people.ts'

const emit = vi.fn()
const answers: unknown[] = []
const emitWithAck = vi.fn(
  (_event?: string, _payload?: { id: string }): Promise<unknown> =>
    answers.length > 0 ? Promise.resolve(answers.shift()) : new Promise(() => undefined),
)
const socket = { connected: true, emit, timeout: () => ({ emitWithAck }) }
vi.mock('../../../platform/socket/socket.ts', () => ({ getSocket: () => socket }))
const { Composer } = await import('./composer.tsx')

const peer = { id: 'maya', name: 'Maya', photo: null, isOnline: true, isTyping: false }
const user = { id: 'me', name: 'Jun', email: '', images: [], token: 't', isSuperAdmin: false, onboardingComplete: true }
let queryClient: QueryClient

beforeEach(async () => {
  localStorage.clear()
  socket.connected = true
  answers.length = 0
  await startI18n('en')
  useSession.setState({ user, socketStatus: 'connected' })
  useSelection.setState({ selectedId: 'maya' })
  queryClient = new QueryClient()
  queryClient.setQueryData(conversationsKey, [conversation('maya', { user: peer, messages: [] })])
})
afterEach(() => {
  vi.useRealTimers()
  emit.mockClear()
  emitWithAck.mockClear()
})

async function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <Composer id="maya" ready />
    </QueryClientProvider>,
  )
  return (await screen.findByRole('textbox', { name: 'Message' })) as HTMLTextAreaElement
}
const known = () => queryClient.getQueryData<Conversation[]>(conversationsKey)?.[0]

it('Enter sends the message: it shows immediately as sent and goes to the server with its six fields', async () => {
  const box = await show()
  await userEvent.type(box, 'Hello{Enter}')
  const fields = { message: 'Hello', senderId: 'me', receiverId: 'maya', status: 'sent' }
  expect(emitWithAck).toHaveBeenCalledWith('send_message', {
    ...fields,
    id: expect.any(String),
    timestamp: expect.any(String),
  })
  expect(known()).toMatchObject({ messages: [fields], lastMessage: fields, unreadCount: 0 })
  expect(box.value).toBe('')
})

it('Shift+Enter starts a new line', async () => {
  const box = await show()
  await userEvent.type(box, 'one{Shift>}{Enter}{/Shift}two')
  expect(box.value).toBe('one\ntwo')
  expect(emitWithAck).not.toHaveBeenCalled()
})

it('Enter during a composition doesn’t send', async () => {
  const box = await show()
  await userEvent.type(box, 'にほん')
  fireEvent.keyDown(box, { key: 'Enter', isComposing: true })
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 229 })
  expect(emitWithAck).not.toHaveBeenCalled()
})

it('Without a live connection nothing is sent: the button is disabled and the text stays, even after a reload', async () => {
  socket.connected = false
  useSession.setState({ socketStatus: 'reconnecting' })
  const box = await show()
  await userEvent.type(box, 'Later{Enter}')
  expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true)
  expect(emitWithAck).not.toHaveBeenCalled()
  expect(known()?.messages).toEqual([])
  expect(localStorage.getItem('draft:me:maya')).toBe('Later')
})

it('After two seconds without a connection, a note says that the text is kept', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const box = await show()
  fireEvent.change(box, { target: { value: 'Later' } })
  act(() => useSession.setState({ socketStatus: 'reconnecting' }))
  expect(screen.queryByText(/^No connection/)).toBeNull()
  act(() => vi.advanceTimersByTime(2_100))
  expect(screen.getByText('No connection. What you wrote stays here until you can send it.')).toBeTruthy()
  fireEvent.change(box, { target: { value: '' } })
  expect(screen.queryByText(/^No connection/)).toBeNull()
  fireEvent.change(box, { target: { value: 'Later' } })
  act(() => useSession.setState({ socketStatus: 'connected' }))
  expect(screen.queryByText(/^No connection/)).toBeNull()
})

it('A sent message stays in the outbox until it is acknowledged', async () => {
  await userEvent.type(await show(), 'One{Enter}')
  expect(chatOf(queryClient).outbox.waiting()).toMatchObject([{ message: 'One', delivery: 'pending' }])
})

it('An acknowledged message is replaced by the server’s copy', async () => {
  const ids = { id: 'm1', senderId: 'me', receiverId: 'maya', conversationId: 'maya' }
  const message = { ...ids, message: 'One', timestamp: new Date().toISOString(), status: 'sent', seq: 1, revision: 1 }
  emitWithAck.mockImplementationOnce((_event?: string, sent?: { id: string }) =>
    Promise.resolve({ ok: true, message: { ...message, id: sent?.id } }),
  )
  await userEvent.type(await show(), 'One{Enter}')
  await eventually(() => expect(known()?.messages).toMatchObject([{ message: 'One', seq: 1 }]))
  expect(known()?.messages?.[0]?.delivery).toBeUndefined()
  expect(chatOf(queryClient).outbox.waiting()).toEqual([])
})

it('A message that the server refuses is marked as failed', async () => {
  answers.push({ ok: false, code: 'not_found' })
  const box = await show()
  await userEvent.type(box, 'One{Enter}')
  await eventually(() => expect(known()?.messages?.[0]?.delivery).toBe('failed'))
})

it('Writing sends a typing event once, and sending the message ends it', async () => {
  const box = await show()
  await userEvent.type(box, 'Hey')
  expect(emit.mock.calls).toEqual([['typing', { to: 'maya' }]])
  await userEvent.type(box, '{Enter}')
  expect(emit).toHaveBeenLastCalledWith('stop_typing', { to: 'maya' })
})

it('An emoji is inserted at the caret, and the focus returns to the text box', async () => {
  const box = await show()
  await userEvent.type(box, 'Pizza tonight?')
  box.setSelectionRange(5, 5)
  await userEvent.click(screen.getByRole('button', { name: 'Emoji' }))
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Search emoji' }), 'pizza')
  await userEvent.click(await screen.findByTitle('pizza'))
  expect(box.value).toBe('Pizza🍕 tonight?')
  await eventually(() => expect(document.activeElement).toBe(box))
  expect(box.selectionStart).toBe(7)
})

it('A text that is too long stays in the box, shows by how much, and can be sent once it fits', async () => {
  const box = await show()
  const tooLong = `${'x'.repeat(1_995)}👩‍👩‍👧‍👦`
  fireEvent.change(box, { target: { value: tooLong } })
  expect(box.value).toBe(tooLong)
  expect(screen.getByRole('status').textContent).toBe('Too long by 6 characters.')
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send' })
  expect(send.disabled).toBe(true)
  await userEvent.type(box, '{Enter}')
  expect(emitWithAck).not.toHaveBeenCalled()
  fireEvent.change(box, { target: { value: `  ${tooLong.slice(6)}\n\n` } })
  expect(send.disabled).toBe(false)
  expect(screen.getByRole('status').textContent).toBe('')
})

it.each(['ㅤ', '\u2800', '\u200d', '\u0301'])('Text without a visible character can’t be sent (%j)', async (blank) => {
  const box = await show()
  fireEvent.change(box, { target: { value: blank } })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
})
