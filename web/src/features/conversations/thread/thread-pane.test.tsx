import type { Message as WireMessage } from '@duet/contract/conversations.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useSession } from '../../../platform/session.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import { useSelection } from '../conversations.ts'
import { answersWith, conversation, message, mine } from '../talk.test-people.ts'
import { giveSizes } from '../thread.test-sizes.ts'

const emitWithAck = vi.fn()
const socket = { connected: true, emit: vi.fn(), timeout: () => ({ emitWithAck }) }
vi.mock('../../../platform/socket/socket.ts', () => ({ getSocket: () => socket }))
const { default: ThreadPane } = await import('./thread-pane.tsx')
const { chatOf } = await import('../browser-chat.ts')

const now = new Date().toISOString()

beforeEach(() => {
  giveSizes()
  localStorage.clear()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  signInAs({ ...jun, id: 'me' })
  useSession.setState({ socketStatus: 'connected' })
  useSelection.setState({ selectedId: 'maya', newFromSeq: undefined, announced: null, goneId: undefined })
  mockEndpoint('GET /api/user/:id', () => problem(404, 'not_found'))
  mockEndpoint('GET /api/matches', () => ({ matches: [] }))
})
afterEach(resetEndpoints)

async function draw(messages: WireMessage[], more: object = {}) {
  const lastMessage = messages.at(-1) ?? null
  const user = { id: 'maya', name: 'Maya', photo: null, isOnline: true, isTyping: false }
  const maya = conversation('maya', { user, messages, lastMessage, ...more })
  mockEndpoint('GET /api/messages/history', () => [maya] as never)
  emitWithAck.mockReset()
  emitWithAck.mockImplementation(answersWith(messages))
  const texts = ['conversations', 'thread', 'attachments', 'matches']
  const page = await renderPage(<ThreadPane id="maya" onBack={vi.fn()} />, { path: '/chat/maya', texts })
  return { ...page, log: within(await screen.findByRole('log', { name: 'Conversation with Maya' })) }
}
const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })

it('A message shows its quote, reactions, that it was edited, or that it was deleted', async () => {
  const replyTo = { seq: 1, senderId: 'maya', message: 'Saturday?', kind: 'text' as const }
  const { log } = await draw([
    message(1, { message: 'Saturday?' }),
    mine(2, { message: 'Yes', replyTo, editedAt: now, reactions: [{ userId: 'maya', emoji: '❤️' }] }),
    message(3, { message: '', deletedAt: now }),
  ])
  expect(await log.findByRole('button', { name: 'Go to the message from Maya: Saturday?' })).toBeTruthy()
  expect(log.getByRole('button', { name: '❤️ from Maya. React with the same' })).toBeTruthy()
  expect(log.getByText('edited')).toBeTruthy()
  expect(log.getByText('This message was deleted')).toBeTruthy()
})

it('An unavailable conversation shows a message and offers neither a text box nor a retry', async () => {
  mockEndpoint('GET /api/messages/history', () => [] as never)
  emitWithAck.mockReset()
  emitWithAck.mockResolvedValue({ error: { code: 'not_found' } })
  const failed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await renderPage(<ThreadPane id="maya" onBack={vi.fn()} />, {
    path: '/chat/maya',
    texts: ['conversations', 'thread'],
  })
  expect(await screen.findByText('This chat isn’t available.')).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Back' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Back to all chats' })).toBeTruthy()
  // The log line is for operators. The number of attempts doesn't matter here.
  const said = new Set(failed.mock.calls.map(([text]) => text))
  expect(said).toEqual(new Set(['The conversation could not be fetched or created.']))
})

it('The text box keeps its text and focus when the conversation loads', async () => {
  const user = { id: 'maya', name: 'Maya', photo: null, isOnline: true, isTyping: false }
  const maya = conversation('maya', { user, messages: [message(1)], lastMessage: message(1) })
  let come: (list: object[]) => void = () => undefined
  mockEndpoint('GET /api/messages/history', () => new Promise((resolve) => (come = resolve)) as never)
  emitWithAck.mockReset()
  emitWithAck.mockImplementation(answersWith())
  const texts = ['conversations', 'thread', 'attachments', 'matches']
  const page = await renderPage(<ThreadPane id="maya" onBack={vi.fn()} />, { path: '/chat/maya', texts })
  const before = await screen.findByRole('textbox', { name: 'Message' })
  await page.user.type(before, 'Hel')
  await act(async () => come([maya]))
  await screen.findByRole('log', { name: 'Conversation with Maya' })
  expect(box()).toBe(before)
  expect(document.activeElement).toBe(before)
  await page.user.keyboard('lo')
  expect(box().value).toBe('Hello')
})

it('Links become clickable once both people have written three times', async () => {
  const link = message(1, { message: 'See https://example.org' })
  const { log, unmount } = await draw([link])
  expect(await log.findByText('Links unlock after three messages each.')).toBeTruthy()
  expect(log.queryByRole('link')).toBeNull()
  unmount()
  const once = await draw([link, mine(2)])
  expect(await once.log.findByText('Links unlock after three messages each.')).toBeTruthy()
  once.unmount()
  const answered = await draw([link, mine(2), message(3), mine(4), message(5), mine(6)])
  const live = await answered.log.findByRole('link', { name: 'https://example.org' })
  expect(live.getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')
  expect(answered.log.queryByText('Links unlock after three messages each.')).toBeNull()
})

it('Arrow up edits my last message, and Escape restores the draft', async () => {
  const { user, log } = await draw([mine(1, { message: 'Helo', timestamp: now })])
  await log.findByText('Helo')
  await user.type(box(), '{ArrowUp}')
  expect(box().value).toBe('Helo')
  expect(screen.getByText('Editing your message')).toBeTruthy()
  await user.type(box(), 'x{Escape}')
  expect(box().value).toBe('')
  const edited = mine(1, { message: 'Hello', timestamp: now, revision: 2, editedAt: now })
  const calls = mockEndpoint('PATCH /api/conversations/:userId/messages/:seq', () => edited)
  await user.type(box(), '{ArrowUp}')
  await user.clear(box())
  await user.type(box(), 'Hello{Enter}')
  await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ message: 'Hello' }]))
  expect(await log.findByText('Hello')).toBeTruthy()
})

it('A message request can be accepted', async () => {
  const { user } = await draw([message(1)], { isRequest: true })
  expect(screen.getByText('Maya wants to chat. Reply to accept.')).toBeTruthy()
  const calls = mockEndpoint('PATCH /api/conversations/:userId', () => conversation('maya') as never)
  await user.click(screen.getByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull())
  expect(calls.map(({ body }) => body)).toEqual([{ accepted: true }])
})

it('A pending message says whether it is being sent or waits for the connection', async () => {
  const { log, user } = await draw([message(1)])
  await log.findByText('text 1')
  emitWithAck.mockImplementation(() => new Promise(() => undefined))
  await user.type(box(), 'On the train{Enter}')
  expect(await log.findByText('Sending')).toBeTruthy()
  act(() => useSession.setState({ socketStatus: 'reconnecting' }))
  expect(log.getByText('Sends when you’re back online')).toBeTruthy()
  expect(log.queryByText('Sending')).toBeNull()
  act(() => useSession.setState({ socketStatus: 'connected' }))
  expect(log.getByText('Sending')).toBeTruthy()
})

it('A nudge suggests a second thought without blocking, and ends once both have written three times', async () => {
  const { user, unmount } = await draw([message(1)])
  await user.type(box(), 'Do you have WhatsApp?')
  expect(await screen.findByText(/takes the chat off Duet/)).toBeTruthy()
  emitWithAck.mockClear()
  await user.click(screen.getByRole('button', { name: 'Send anyway' }))
  expect(emitWithAck.mock.calls[0]?.[1]).toMatchObject({ message: 'Do you have WhatsApp?' })
  expect(screen.queryByText(/takes the chat off Duet/)).toBeNull()
  await user.type(box(), 'Do you like tea?')
  expect(screen.queryByRole('note')).toBeNull()
  unmount()
  await draw([message(1), mine(2), message(3), mine(4), message(5), mine(6)])
  await user.clear(box())
  await user.type(box(), 'Do you have WhatsApp?')
  expect(screen.queryByRole('note')).toBeNull()
})

it('A suggestion to leave Duet warns until both have written three times, a request for money always, and a dismissed note stays hidden', async () => {
  const away = message(1, { message: 'Add me on telegram' })
  const { user, unmount } = await draw([away])
  expect(await screen.findByRole('region', { name: 'Keep chatting here until you’ve met' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Close this note' }))
  expect(screen.queryByRole('region', { name: 'Keep chatting here until you’ve met' })).toBeNull()
  unmount()
  const known = [away, mine(2), message(3), mine(4), message(5), mine(6)]
  const later = await draw(known)
  expect(screen.queryByRole('button', { name: 'Close this note' })).toBeNull()
  later.unmount()
  await draw([...known, message(7, { message: 'Could you lend me 200 euros?' })])
  const card = await screen.findByRole('region', { name: 'Never send money to someone you haven’t met' })
  expect(within(card).getByRole('link', { name: 'What to do' }).getAttribute('href')).toBe('/safety')
})

it('The other person’s photos are veiled until both have written twice', async () => {
  const attachment = { kind: 'photo' as const, id: 'a1', url: '/m', width: 40, height: 30, blurhash: '', veiled: false }
  const carried = message(1, { message: '', attachment })
  const { log, unmount } = await draw([carried, mine(2)])
  expect(await log.findByText('Tap to see')).toBeTruthy()
  unmount()
  const later = await draw([carried, mine(2), message(3), mine(4)])
  expect(await later.log.findByRole('img', { name: 'Photo from Maya' })).toBeTruthy()
  expect(later.log.queryByText('Tap to see')).toBeNull()
})

it('The next person to sign in sees warnings and veils again', async () => {
  const attachment = { kind: 'photo' as const, id: 'a2', url: '/m', width: 40, height: 30, blurhash: '', veiled: false }
  const said = [message(1, { message: 'Add me on telegram', attachment })]
  signInAs({ ...jun, id: 'kim' })
  const { user, unmount } = await draw(said)
  await user.click(await screen.findByRole('button', { name: 'Close this note' }))
  await user.click(screen.getByRole('button', { name: 'Show Maya’s photo' }))
  unmount()
  signInAs({ ...jun, id: 'me' })
  await draw(said)
  expect(await screen.findByRole('button', { name: 'Close this note' })).toBeTruthy()
  expect(screen.getByText('Tap to see')).toBeTruthy()
})

it('A message they deleted can be reported, and one I deleted has no menu', async () => {
  const gone = { message: '', deletedAt: now }
  const { log } = await draw([message(1, gone), mine(2, gone)])
  const [theirs, own] = await log.findAllByText('This message was deleted')
  fireEvent.contextMenu(own as HTMLElement, { clientX: 5, clientY: 5 })
  fireEvent.contextMenu(theirs as HTMLElement, { clientX: 5, clientY: 5 })
  await screen.findByRole('menuitem', { name: 'Report' })
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Report', 'Block'])
})

it('A failed edit returns to the text box', async () => {
  const { user, log } = await draw([mine(1, { message: 'Helo', timestamp: now })])
  await log.findByText('Helo')
  mockEndpoint('PATCH /api/conversations/:userId/messages/:seq', () => problem(503, 'unavailable'))
  await user.type(box(), '{ArrowUp}')
  await user.type(box(), ' and more{Enter}')
  await waitFor(() => expect(box().value).toBe('Helo and more'))
  expect(screen.getByText('Editing your message')).toBeTruthy()
  expect(log.getByText('Helo')).toBeTruthy()
})

it('When the server no longer has the chat, a note names the person and the text box is gone', async () => {
  const { user, queryClient } = await draw([message(1)])
  await user.type(box(), 'Are you there?')
  act(() => chatOf(queryClient).list.end(['maya']))
  expect(await screen.findByText('Your chat with Maya is no longer available.')).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
})

it('A double press adds a heart to a message, and another removes it', async () => {
  const { log } = await draw([message(1, { message: 'Hello' })])
  let revision = 1
  const reacted = mockEndpoint('PUT /api/conversations/:userId/messages/:seq/reaction', ({ body }) => {
    const { emoji } = body as { emoji: string | null }
    revision += 1
    return message(1, { message: 'Hello', reactions: emoji ? [{ userId: 'me', emoji }] : [], revision })
  })
  fireEvent.doubleClick(await log.findByText('Hello'))
  expect(await log.findByRole('button', { name: 'Your reaction ❤️. Remove it' })).toBeTruthy()
  await waitFor(() => expect(reacted.map(({ body }) => body)).toEqual([{ emoji: '❤️' }]))
  fireEvent.doubleClick(log.getByText('Hello'))
  await waitFor(() => expect(reacted.at(-1)?.body).toEqual({ emoji: null }))
})

it('The “New” divider disappears once I’ve answered', async () => {
  const { log, user } = await draw([message(1), message(2), message(3)])
  await log.findByText('text 1')
  act(() => useSelection.setState({ newFromSeq: 2 }))
  expect(log.getByText('New')).toBeTruthy()
  emitWithAck.mockImplementation((_, { id }) => Promise.resolve({ ok: true, message: { ...mine(4), id } }))
  await user.type(box(), 'Yes{Enter}')
  await waitFor(() => expect(log.queryByText('New')).toBeNull())
})

it('The message with an open menu is outlined, and its thread starts with the liked item', async () => {
  const item = { kind: 'prompt' as const, prompt: 'small_joy' as const, answer: 'The first coffee' }
  const user = { id: 'maya', name: 'Maya', photo: null }
  mockEndpoint('GET /api/matches', () => ({
    matches: [{ user, matchedAt: now, openers: [], hasMessages: true, liked: { mine: item, theirs: null } }],
  }))
  const { log } = await draw([mine(1, { id: 'like-1767268800000-0', message: 'With milk?' })])
  expect(await log.findByText('You liked Maya’s answer')).toBeTruthy()
  expect(log.getByText('The first coffee')).toBeTruthy()
  const words = log.getByText('With milk?')
  fireEvent.contextMenu(words, { clientX: 5, clientY: 5 })
  await screen.findByRole('menu')
  expect(words.closest('[data-key]')?.className).toContain('outline-accent')
})
