// @vitest-environment node
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createChanges } from './changes.ts'
import { createChat, type Selection } from './chat.ts'
import { hasNewer, hasOlder } from './conversation-list.ts'
import { memoryStorage } from './outbox-storage.ts'
import { type FakeServer, fakeServer } from './server.test-fake.ts'
import { soloTabs } from './tabs.ts'
import type { Conversation } from './thread.ts'

let server: FakeServer
const stops: (() => void)[] = []
// Loaded at their first use otherwise, which takes real time.
beforeAll(() => Promise.all([import('./pages.ts'), import('./changes.ts')]))
beforeEach(() => {
  vi.useFakeTimers()
  server = fakeServer()
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.useRealTimers()
})
const rest = (milliseconds = 2_000) => vi.advanceTimersByTimeAsync(milliseconds)

/** A device of mine: the chat, and the line it hangs on. */
async function device(loses: () => boolean = () => false) {
  let list: Conversation[] | undefined
  let selected: Selection = { selectedId: null, newFromSeq: undefined, announced: null }
  const receive = (event: string, payload: unknown) =>
    (chat.handlers[event as 'private message'] as (payload: unknown) => void)(payload)
  const { line, socket } = server.connect(receive, loses)
  const chat = createChat({
    viewerId: () => 'me',
    list: {
      read: () => list,
      write(next) {
        list = next
      },
    },
    selection: {
      getState: () => selected,
      setState(change) {
        selected = { ...selected, ...change }
      },
    },
    socket,
    call: server.call,
    storage: memoryStorage(),
    tabs: soloTabs,
  })
  stops.push(chat.start())
  await chat.connected()
  await rest()
  const maya = () => chat.list.read().find(({ id }) => id === 'maya')!
  const seqs = () => maya().messages?.map(({ seq }) => seq)
  const selection = () => selected
  return { chat, line, maya, seqs, selection }
}
const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const talk = (count: number, from = 'maya') => {
  for (let nth = 0; nth < count; nth += 1) server.write('maya', from)
}

it('asks for the list, then only for what changed since the last full answer', async () => {
  talk(3)
  const { chat, line, maya } = await device()
  expect(maya().unreadCount).toBe(3)
  const ask = line.timeout().emitWithAck
  const since: unknown[] = []
  vi.spyOn(line, 'timeout').mockReturnValue({
    emitWithAck: (name, payload) => {
      if (name === 'get_conversations') since.push(payload)
      return ask(name, payload)
    },
  })
  line.connected = false
  talk(1)
  line.connected = true
  await chat.sync.now()
  expect(since).toEqual([{ since: '3' }])
  // What is pushed moves no cursor: only a full answer does.
  talk(1)
  await chat.sync.now()
  expect(since).toEqual([{ since: '3' }, { since: '4' }])
  expect(maya()).toMatchObject({ unreadCount: 5, lastSeq: 5 })
})

it('reads what a lost push left out, without being asked', async () => {
  talk(3)
  let lost = false
  const { chat, seqs, maya } = await device(() => lost)
  await chat.pages.open('maya')
  lost = true
  talk(2)
  lost = false
  talk(1)
  expect(seqs()).toEqual([1, 2, 3])
  await rest(300)
  expect(seqs()).toEqual([1, 2, 3, 4, 5, 6])
  expect(maya().lastMessage?.seq).toBe(6)
})

it('reads an edit that was lost, when the list tells of a later revision', async () => {
  talk(3)
  let lost = false
  const { chat, maya } = await device(() => lost)
  await chat.pages.open('maya')
  lost = true
  server.change('maya', 2, { message: 'edited' })
  lost = false
  await chat.sync.now()
  await rest(300)
  expect(maya().messages?.[1]?.message).toBe('edited')
})

it('begins anew with the newest page when more than two hundred were missed', async () => {
  talk(60)
  server.read('maya', 'me', 60)
  const { chat, line, seqs, maya } = await device()
  await chat.pages.open('maya')
  line.connected = false
  talk(300)
  line.connected = true
  await chat.connected()
  await rest(300)
  expect(seqs()).toEqual(upTo(311, 360))
  expect(hasOlder(maya())).toBe(true)
  await chat.pages.older('maya')
  expect(seqs()?.[0]).toBe(261)
})

it('reads up to two hundred missed messages in pages, and keeps what showed', async () => {
  talk(60)
  server.read('maya', 'me', 60)
  const { chat, line, seqs } = await device()
  await chat.pages.open('maya')
  line.connected = false
  talk(150)
  for (const seq of upTo(20, 80)) server.change('maya', seq, { message: 'edited' })
  line.connected = true
  await chat.connected()
  await rest(300)
  expect(seqs()).toEqual(upTo(11, 210))
})

it('opens with the divider before the first unread message, tells that all is read, and counts none meanwhile', async () => {
  talk(5)
  server.read('maya', 'me', 2)
  const { chat, maya, selection } = await device()
  expect(maya().unreadCount).toBe(3)
  await chat.pages.open('maya')
  await rest()
  expect(selection().newFromSeq).toBe(3)
  expect(server.roomOf('maya').readByMe).toBe(5)
  talk(1)
  expect(maya().unreadCount).toBe(0)
  expect(server.roomOf('maya').readByMe).toBe(5)
  chat.read('maya')
  await rest()
  expect(server.roomOf('maya').readByMe).toBe(6)
})

it('counts what came while it was open and was never read, once another conversation is open', async () => {
  talk(1)
  server.write('kofi', 'kofi')
  const { chat, maya } = await device()
  await chat.pages.open('maya')
  talk(1)
  expect(maya().unreadCount).toBe(0)
  await chat.pages.open('kofi')
  expect(maya().unreadCount).toBe(1)
})

it('asks again when a conversation was told of as it was before its newest message', async () => {
  talk(3)
  const { chat, maya } = await device()
  chat.handlers.conversations([{ ...server.row('maya'), lastMessage: null, lastSeq: 2, unreadCount: 9 }])
  chat.list.remove(['maya'])
  chat.handlers.conversations([{ ...server.row('maya'), lastMessage: null, lastSeq: 2, unreadCount: 9 }])
  expect(maya().unreadCount).toBe(9)
  await rest(300)
  expect(maya()).toMatchObject({ unreadCount: 3, lastSeq: 3 })
})

it('tells once that something was read, and again when the line broke before the server heard', async () => {
  talk(2)
  const { chat, line } = await device()
  await chat.pages.open('maya')
  await rest()
  const told = () => server.requests.filter((name) => name === 'mark_as_read').length
  expect(told()).toBe(1)
  chat.read('maya')
  await rest()
  expect(told()).toBe(1)
  line.connected = false
  chat.read('maya', 9)
  talk(1)
  chat.read('maya')
  line.connected = true
  await chat.connected()
  await rest()
  expect(told()).toBe(2)
})

it('tells again that something was read when the server could not keep it', async () => {
  talk(2)
  const { chat } = await device()
  server.state.down = true
  await chat.pages.open('maya')
  await rest()
  server.state.down = false
  expect(server.roomOf('maya').readByMe).toBe(0)
  await rest(4_000)
  expect(server.roomOf('maya').readByMe).toBe(2)
})

it('tells at most once a second what arrived, up to the first hole', async () => {
  talk(1)
  server.read('maya', 'me', 1)
  let lost = false
  const { line } = await device(() => lost)
  const asked = vi.spyOn(line, 'timeout')
  const told: unknown[] = []
  asked.mockReturnValue({
    emitWithAck: async (name: string, payload: unknown) => {
      if (name === 'mark_as_delivered') told.push(payload)
      return { ok: true }
    },
  })
  talk(3)
  await rest(500)
  talk(3)
  await rest(100)
  expect(told).toEqual([{ conversationId: 'maya', upToSeq: 4 }])
  lost = true
  talk(1)
  lost = false
  talk(1)
  await rest(900)
  expect(told).toEqual([
    { conversationId: 'maya', upToSeq: 4 },
    { conversationId: 'maya', upToSeq: 7 },
  ])
})

it('jumps to an old message, reads on in both directions, and comes back to the newest', async () => {
  talk(300)
  server.read('maya', 'me', 300)
  const { chat, seqs, maya } = await device()
  await chat.pages.open('maya')
  expect(await chat.pages.jumpTo('maya', 100)).toBe(true)
  expect(seqs()).toEqual(upTo(76, 125))
  expect([hasOlder(maya()), hasNewer(maya())]).toEqual([true, true])
  await chat.pages.older('maya')
  await chat.pages.newer('maya')
  expect(seqs()).toEqual(upTo(26, 175))
  talk(1)
  expect(seqs()).toEqual(upTo(26, 175))
  await chat.pages.newest('maya')
  expect(seqs()).toEqual(upTo(251, 301))
  expect(await chat.pages.jumpTo('maya', 999)).toBe(false)
})

it('reads on from where it jumped to until it meets the newest', async () => {
  talk(150)
  server.read('maya', 'me', 150)
  const { chat, seqs, maya } = await device()
  await chat.pages.open('maya')
  await chat.pages.jumpTo('maya', 60)
  await chat.pages.newer('maya')
  expect(seqs()?.at(-1)).toBe(150)
  expect(hasNewer(maya())).toBe(false)
})

it('shows an edit at once, and the old text again when it is refused', async () => {
  talk(2, 'me')
  const { chat, maya } = await device()
  await chat.pages.open('maya')
  const [first] = maya().messages!
  const changes = createChanges({ viewerId: () => 'me', list: chat.list, call: server.call })
  const edited = changes.edit(first!, 'better')
  expect(maya().messages?.[0]?.message).toBe('better')
  await edited
  expect(maya().messages?.[0]).toMatchObject({ message: 'better', revision: 3 })
  vi.spyOn(server.roomOf('maya').messages, 'map').mockImplementation(() => {
    throw new Error('refused')
  })
  const refused = changes.edit(maya().messages![0]!, 'worse')
  expect(maya().messages?.[0]?.message).toBe('worse')
  await expect(refused).rejects.toThrow('refused')
  expect(maya().messages?.[0]?.message).toBe('better')
})

it('shows what two devices write and what the server tells the same on both, whatever pushes are lost', async () => {
  const act = fc.record({
    kind: fc.constantFrom('mine', 'other', 'maya', 'edit', 'readByMaya', 'cut', 'mend', 'rest'),
    at: fc.nat(50),
    loses: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
      server = fakeServer()
      talk(3)
      let lost = false
      const [one, other] = [await device(() => lost), await device(() => lost)]
      for (const { chat } of [one, other]) await chat.pages.open('maya')
      for (const { kind, at, loses } of acts) {
        lost = loses
        const count = server.roomOf('maya').messages.length
        if (kind === 'mine') one.chat.send(`one ${at}`)
        if (kind === 'other') other.chat.send(`other ${at}`)
        if (kind === 'maya') talk(1)
        if (kind === 'edit') server.change('maya', (at % count) + 1, { message: `edited ${at}` })
        if (kind === 'readByMaya') server.read('maya', 'maya', Math.min(at, count))
        if (kind === 'cut') one.line.connected = false
        if (kind === 'rest') await rest(at * 10)
        if (kind === 'mend' && !one.line.connected) {
          one.line.connected = true
          void one.chat.connected()
        }
      }
      lost = false
      one.line.connected = true
      await Promise.all([one.chat.connected(), other.chat.connected()])
      await rest(70_000)
      const truth = server.roomOf('maya').messages.map((message) => server.tell('maya', message))
      for (const { maya } of [one, other]) {
        expect(maya().messages).toEqual(truth)
        expect(maya().lastMessage).toEqual(truth.at(-1))
      }
      for (const stop of stops.splice(0)) stop()
    }),
    { numRuns: 100 },
  )
})

it('writes first to whom it was meant, whoever is selected by the time the conversation is there', async () => {
  talk(1)
  server.write('kofi', 'kofi')
  const { chat, selection } = await device()
  const writing = chat.writeFirst('maya', 'Hello Maya')
  await chat.pages.open('kofi')
  expect([await writing, selection().selectedId]).toEqual([true, 'kofi'])
  await rest()
  expect(server.roomOf('kofi').messages.map(({ senderId }) => senderId)).toEqual(['kofi'])
  expect(server.roomOf('maya').messages.at(-1)?.message).toBe('Hello Maya')
})

it('goes on telling what arrived when it was stopped and begun again', async () => {
  talk(1)
  server.read('maya', 'me', 1)
  const { chat } = await device()
  const told = () => server.requests.filter((name) => name === 'mark_as_delivered').length
  talk(1)
  stops.pop()?.()
  stops.push(chat.start())
  expect(told()).toBe(0)
  talk(1)
  await rest()
  expect(told()).toBe(1)
})

it('tells that what came with the page was read, where nobody had told of it before', async () => {
  talk(1)
  server.read('maya', 'me', 1)
  let lost = false
  const { chat } = await device(() => lost)
  lost = true
  talk(2)
  lost = false
  await chat.pages.open('maya')
  await rest()
  expect(server.roomOf('maya').readByMe).toBe(3)
})

it('asks for all of the list again before the addresses in it expire', async () => {
  talk(1)
  const { chat, line } = await device()
  const since: unknown[] = []
  vi.spyOn(line, 'timeout').mockReturnValue({
    emitWithAck: async (_: string, payload: unknown) => {
      since.push((payload as { since: string }).since)
      return { ok: true, cursor: 'later', gone: [] }
    },
  })
  await chat.sync.now()
  await rest(46 * 60_000)
  await chat.sync.now()
  await chat.sync.now()
  expect(since).toEqual(['1', 'everything', 'later'])
})
