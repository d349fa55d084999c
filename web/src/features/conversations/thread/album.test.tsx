import type { OutgoingMessage, Message as WireMessage } from '@duet/contract/conversations.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useSession } from '../../../platform/session.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import type { PhotoAttachment } from '../attachments/attachments.api.ts'
import { useSelection } from '../conversations.ts'
import { answersWith, conversation, message, mine } from '../talk.test-people.ts'
import { giveSizes } from '../thread.test-sizes.ts'

const emitWithAck = vi.fn()
const socket = { connected: true, emit: vi.fn(), timeout: () => ({ emitWithAck }) }
vi.mock('../../../platform/socket/socket.ts', () => ({ getSocket: () => socket }))
const { default: ThreadPane } = await import('./thread-pane.tsx')
const { chatOf } = await import('../browser-chat.ts')

beforeEach(() => {
  giveSizes()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  signInAs({ ...jun, id: 'me' })
  useSession.setState({ socketStatus: 'connected' })
  useSelection.setState({ selectedId: 'maya', newFromSeq: undefined, announced: null, goneId: undefined })
  mockEndpoint('GET /api/user/:id', () => problem(404, 'not_found'))
  mockEndpoint('GET /api/matches', () => ({ matches: [] }))
})
afterEach(resetEndpoints)

async function draw(messages: WireMessage[]) {
  const user = { id: 'maya', name: 'Maya', photo: null, isOnline: true, isTyping: false }
  const maya = conversation('maya', { user, messages, lastMessage: messages.at(-1) ?? null })
  mockEndpoint('GET /api/messages/history', () => [maya] as never)
  emitWithAck.mockReset()
  emitWithAck.mockImplementation(answersWith(messages))
  const texts = ['conversations', 'thread', 'attachments', 'matches']
  const page = await renderPage(<ThreadPane id="maya" onBack={vi.fn()} />, { path: '/chat/maya', texts })
  return { ...page, log: within(await screen.findByRole('log', { name: 'Conversation with Maya' })) }
}

const noon = new Date().toISOString()
const photo = (id: string): PhotoAttachment => ({
  ...{ kind: 'photo', id, url: `/${id}`, width: 4, height: 3 },
  ...{ blurhash: '', veiled: false },
})
const sentPhoto = (seq: number, changes: Partial<WireMessage> = {}) =>
  mine(seq, { message: '', timestamp: noon, attachment: photo(`p${seq}`), ...changes })
const three = [message(1), sentPhoto(2), sentPhoto(3), sentPhoto(4)]

async function cells(log: Awaited<ReturnType<typeof draw>>['log']) {
  return within(await log.findByRole('list', { name: 'Album' })).getAllByRole('listitem')
}

it('The arrow keys move through the photos of an album and out of it', async () => {
  const { log, user } = await draw([...three, message(5)])
  const photos = await cells(log)
  act(() => photos[1]?.focus())
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(photos[2])
  expect(photos.map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, 0])
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toContain('text 5')
  await user.keyboard('{Home}{ArrowDown}')
  expect(document.activeElement).toBe(photos[0])
})

it('Each photo of an album has its own menu and shows its own reaction', async () => {
  const { log, user } = await draw(three)
  const calls = mockEndpoint('PUT /api/conversations/:userId/messages/:seq/reaction', () =>
    sentPhoto(3, { reactions: [{ userId: 'me', emoji: '❤️' }], revision: 9 }),
  )
  const [, second] = await cells(log)
  fireEvent.contextMenu(second as HTMLElement, { clientX: 5, clientY: 5 })
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'React with ❤️' }))
  await waitFor(() => expect(calls[0]?.url.pathname).toBe('/api/conversations/maya/messages/3/reaction'))
  expect(await within(second as HTMLElement).findByRole('button', { name: /^Your reaction/ })).toBeTruthy()
})

it('A quote of a photo leads to that photo in its album', async () => {
  const replyTo = { seq: 3, senderId: 'me', message: '', kind: 'photo' as const }
  const { log, user } = await draw([...three, message(5, { replyTo })])
  await user.click(await log.findByRole('button', { name: /^Go to the message/ }))
  const shines = (await cells(log)).map(({ className }) => className.split(' ').includes('after:outline-3'))
  expect(shines).toEqual([false, true, false])
})

it('An album says which photo wasn’t sent, and retries that one', async () => {
  const { log, user, queryClient } = await draw([message(1)])
  await log.findByText('text 1')
  const sent: (string | undefined)[] = []
  let seq = 1
  emitWithAck.mockImplementation(async (_, { id, attachmentId = '' }: OutgoingMessage) => {
    sent.push(attachmentId)
    if (sent.length === 2) return { ok: false, code: 'not_found' }
    seq += 1
    // Keep the original send time of the failed photo, because only photos sent within a few seconds form an album.
    const timestamp = new Date().toISOString()
    return { ok: true, message: sentPhoto(seq, { id, timestamp, attachment: photo(attachmentId) }) }
  })
  await act(async () => {
    for (const id of ['p2', 'p3', 'p4']) chatOf(queryClient).send({ text: '', attachment: photo(id) })
  })
  expect((await log.findByText(/^Photo \d of 3: /)).textContent).toContain('Not sent')
  await user.click(log.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(sent).toEqual(['p2', 'p3', 'p4', 'p3']))
  await waitFor(() => expect(log.queryByRole('button', { name: 'Retry' })).toBeNull())
  expect(await cells(log)).toHaveLength(3)
})

it('An album splits around a deleted photo', async () => {
  const gone = mine(4, { message: '', deletedAt: noon, timestamp: noon })
  const { log } = await draw([message(1), sentPhoto(2), sentPhoto(3), gone, sentPhoto(5)])
  expect(await cells(log)).toHaveLength(2)
  expect(log.getByText('This message was deleted')).toBeTruthy()
  expect(log.getByRole('button', { name: 'Enlarge: Photo you sent' })).toBeTruthy()
})
