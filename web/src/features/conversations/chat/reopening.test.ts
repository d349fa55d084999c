// @vitest-environment node
import type { Conversation as WireConversation } from '@duet/contract/conversations.ts'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { conversation, memoryList, mine, message as theirs, waiting } from '../talk.test-people.ts'
import { type Chat, createChat } from './chat.ts'
import { fakeLine } from './line.test-fake.ts'
import { memoryStorage } from './outbox/outbox-storage.ts'
import { soloTabs } from './outbox/tabs.ts'

// A reloaded page sends its unsent messages, requests the list and opens a conversation, all at once. The responses may
// arrive in any order, each with the state at the time the server read it.
let line: ReturnType<typeof fakeLine>
let chat: Chat
let stop: () => void
const call = vi.fn()
const rest = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
const maya = () => chat.list.read().find(({ id }) => id === 'maya')
const seqs = () => maya()?.messages?.map(({ seq }) => seq)

// Import the module in advance, because a dynamic import takes real time and fake timers don't wait for it.
beforeAll(() => import('./pages/pages.ts'))
beforeEach(async () => {
  vi.useFakeTimers()
  line = fakeLine()
  const storage = memoryStorage()
  for (const id of ['own 1', 'own 2']) storage.keep(waiting(id))
  chat = createChat({
    viewerId: () => 'me',
    list: memoryList(),
    selection: {
      getState: () => ({ selectedId: null, newFromSeq: undefined, announced: null }),
      setState: () => undefined,
    },
    socket: line.socket,
    call,
    storage,
    tabs: soloTabs,
  })
  stop = chat.start()
  void chat.connected()
  await rest(0)
})
afterEach(() => {
  stop()
  call.mockReset()
  vi.useRealTimers()
})

const answer = async (name: string, nth: number, value: unknown) => {
  void line.by(name)[nth]?.answer(value)
  await rest(0)
}
const taken = (nth: number) =>
  answer('send_message', nth, { ok: true, message: mine(nth + 3, { id: `own ${nth + 1}` }) })
/** Delivers the list as it was before the server accepted the messages. */
async function listed(): Promise<void> {
  chat.handlers.conversations([conversation('maya', { lastMessage: theirs(2) }) as WireConversation])
  await answer('get_conversations', 0, { ok: true, cursor: '1', gone: [] })
}
/** Delivers the page as it was before the server accepted the messages. */
async function opened(): Promise<void> {
  const open = chat.pages.open('maya')
  await rest(0)
  await answer('get_or_create_conversation', 0, { id: 'maya', messages: [theirs(1), theirs(2)], hasMore: false })
  await open
}
const changes = () => call.mock.calls.filter(([name]) => String(name).endsWith('/changes'))

it('A message accepted before the list arrived is fetched when the next one is accepted', async () => {
  call.mockResolvedValue({ messages: [mine(3, { id: 'own 1' }), mine(4, { id: 'own 2' })], hasMore: false })
  await taken(0)
  await listed()
  await opened()
  await taken(1)
  await rest(300)
  expect(seqs()).toEqual([1, 2, 3, 4])
  expect(changes()).toHaveLength(1)
})

it('The list is requested again if all messages were accepted before it arrived', async () => {
  await taken(0)
  await taken(1)
  await listed()
  await opened()
  await rest(300)
  expect(line.by('get_conversations')).toHaveLength(2)
  call.mockResolvedValue({ messages: [mine(3, { id: 'own 1' }), mine(4, { id: 'own 2' })], hasMore: false })
  const last = mine(4, { id: 'own 2' })
  chat.handlers.conversations([conversation('maya', { lastMessage: last, revision: 4 }) as WireConversation])
  await answer('get_conversations', 1, { ok: true, cursor: '2', gone: [] })
  await rest(300)
  expect(seqs()).toEqual([1, 2, 3, 4])
})

it('A page older than the latest event is completed', async () => {
  call.mockImplementation(async (name: string) => {
    if (name === 'GET /api/user/:id') {
      // First the list arrives, then the acknowledgement of a message that isn't in the list.
      await taken(0)
      await listed()
      await taken(1)
      return { name: 'Maya', photos: [], active: 'online' }
    }
    return { messages: [mine(3, { id: 'own 1' }), mine(4, { id: 'own 2' })], hasMore: false }
  })
  await opened()
  await rest(300)
  expect(seqs()).toEqual([1, 2, 3, 4])
})

it.each([
  ['an edit', () => chat.handlers.message_changed(theirs(2, { message: 'better', revision: 3 }))],
  ['a read receipt', () => chat.handlers.conversation_read({ conversationId: 'maya', readerId: 'maya', seq: 2 })],
  ['a delivery receipt', () => chat.handlers.conversation_delivered({ conversationId: 'maya', seq: 2 })],
])('The list is requested again if %s arrives before it', async (_, tell) => {
  tell()
  await listed()
  expect(line.by('get_conversations')).toHaveLength(2)
  tell()
  await answer('get_conversations', 1, { ok: true, cursor: '2', gone: [] })
  await rest(300)
  expect(line.by('get_conversations')).toHaveLength(2)
})

it('A full list removes people without a row, except those who were added meanwhile', async () => {
  chat.list.merge([conversation('gone') as WireConversation])
  await answer('get_conversations', 0, { ok: true, cursor: '1', gone: [] })
  await rest(46 * 60_000)
  chat.sync.soon(0)
  await rest(0)
  const asked = line.by('get_conversations').length - 1
  expect(line.by('get_conversations')[asked]?.payload).toEqual({ since: 'everything' })
  chat.list.merge([conversation('new') as WireConversation])
  await answer('get_conversations', asked, { ok: true, cursor: '2', gone: [], listed: ['maya'] })
  expect(chat.list.read().map(({ id }) => id)).not.toContain('gone')
  expect(chat.list.read().map(({ id }) => id)).toContain('new')
})
