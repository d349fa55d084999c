// @vitest-environment node
import { eventually } from '../../../../test/eventually.ts'
import 'fake-indexeddb/auto'
import { createStore, set } from 'idb-keyval'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { mine, waiting } from '../../talk.test-people.ts'
import { fakeLine, settled } from '../line.test-fake.ts'
import { messageId } from '../message-id.ts'
import type { Message } from '../messages.ts'
import { createOutbox } from './outbox.ts'
import { indexedDbStorage, memoryStorage, type OutboxStorage } from './outbox-storage.ts'
import { soloTabs, type TabNews, type Tabs } from './tabs.ts'

const stored = (name: string) => indexedDbStorage(createStore(name, 'messages'))

type Wire = ReturnType<typeof fakeLine>
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.useRealTimers()
})
let wire: Wire
beforeEach(() => {
  wire = fakeLine()
})

function open(
  storage: OutboxStorage = memoryStorage(),
  tabs: Tabs = soloTabs,
  viewer = 'me',
  on: Wire = wire,
  create = createOutbox,
) {
  const shown = new Map<string, Message>()
  const taken: Message[] = []
  const outbox = create({
    ...{ viewerId: () => viewer, socket: on.socket, storage, tabs },
    show: (message) => void shown.set(message.id, message),
    taken: (message) => {
      taken.push(message)
      shown.delete(message.id)
    },
    dropped: ({ id }) => void shown.delete(id),
  })
  const write = (id: string, receiverId = 'maya') => {
    outbox.keep(waiting(id, { receiverId }))
    outbox.drain()
  }
  return { ...outbox, shown, taken, write }
}
const sent = () => wire.by('send_message').map(({ payload }) => payload.id)
const accept = (index: number) => {
  const one = wire.by('send_message')[index]!
  return one.answer({ ok: true, message: mine(index + 1, { id: one.payload.id, receiverId: one.payload.receiverId }) })
}
const refuse = (index: number, refusal: object) => wire.by('send_message')[index]!.answer({ ok: false, ...refusal })

it('The outbox sends one message at a time to each person, in the order they were written', async () => {
  const { write, taken, waiting: left } = open()
  for (const id of ['a1', 'a2', 'a3']) write(id)
  write('b1', 'kofi')
  expect(sent()).toEqual(['a1', 'b1'])
  await accept(0)
  expect(sent()).toEqual(['a1', 'b1', 'a2'])
  for (const index of [1, 2, 3]) await accept(index)
  expect(taken.map(({ id }) => id)).toEqual(['a1', 'b1', 'a2', 'a3'])
  expect(left()).toEqual([])
})

it('The outbox has at most eight messages on their way', async () => {
  const { write } = open()
  for (let person = 0; person < 12; person += 1) write(`m${10 + person}`, `person ${person}`)
  expect(sent()).toHaveLength(8)
  await accept(0)
  expect(sent()).toHaveLength(9)
})

it('The outbox sends nothing while disconnected, and resends with the same id after reconnecting', async () => {
  const { write, drain } = open()
  write('a1')
  wire.line.connected = false
  await wire.by('send_message')[0]!.fail()
  write('a2')
  expect(sent()).toEqual(['a1'])
  wire.line.connected = true
  drain()
  expect(sent()).toEqual(['a1', 'a1'])
  await accept(1)
  expect(sent()).toEqual(['a1', 'a1', 'a2'])
})

it('The outbox closes a connection that doesn’t answer, and sends the same message again', async () => {
  const { write } = open()
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'], shouldAdvanceTime: true })
  write('a1')
  await wire.by('send_message')[0]!.fail()
  expect(wire.closed).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1_100)
  expect(sent()).toEqual(['a1', 'a1'])
})

it('The outbox retries after the wait that the server asked for', async () => {
  const { write, shown } = open()
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'], shouldAdvanceTime: true })
  write('a1')
  await refuse(0, { code: 'rate_limited', retryAfterMs: 5_000 })
  await vi.advanceTimersByTimeAsync(4_500)
  expect(sent()).toEqual(['a1'])
  await vi.advanceTimersByTimeAsync(600)
  expect(sent()).toEqual(['a1', 'a1'])
  expect(shown.get('a1')?.delivery).toBe('pending')
})

it('A refused message is marked as failed and sent again only on request, and the next one goes out', async () => {
  const { write, shown, keep, drain } = open()
  write('a1')
  write('a2')
  await refuse(0, { code: 'not_found' })
  expect(shown.get('a1')?.delivery).toBe('failed')
  expect(sent()).toEqual(['a1', 'a2'])
  await accept(1)
  expect(sent()).toEqual(['a1', 'a2'])
  keep({ ...shown.get('a1')!, delivery: 'pending' })
  drain()
  expect(sent()).toEqual(['a1', 'a2', 'a1'])
})

it('The outbox retries a server fault with growing pauses while messages to others go out', async () => {
  const { write, shown, waiting: left } = open()
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'], shouldAdvanceTime: true })
  write('a1')
  write('a2')
  write('b1', 'kofi')
  await refuse(0, { code: 'internal' })
  await accept(1)
  write('b2', 'kofi')
  expect(sent()).toEqual(['a1', 'b1', 'b2'])
  await accept(2)
  // Far more failures than a database failover causes.
  const answers = ['retry', 'unavailable', 'internal']
  for (let index = 3; index < 40; index += 1) {
    await vi.advanceTimersByTimeAsync(16_000)
    expect(sent().slice(3)).toEqual(Array(index - 2).fill('a1'))
    await refuse(index, { code: answers[index % 3], ...(index % 3 === 0 && { retryAfterMs: 1_000 }) })
    expect(shown.get('a1')?.delivery).toBe('pending')
  }
  await vi.advanceTimersByTimeAsync(16_000)
  await accept(40)
  expect(sent().at(-1)).toBe('a2')
  await accept(41)
  expect(left()).toEqual([])
})

it('A message that the server can’t store shows a problem after four tries and can be given up', async () => {
  const { write, shown, drop, waiting: left } = open()
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'], shouldAdvanceTime: true })
  write('a1')
  write('a2')
  for (let index = 0; index < 4; index += 1) {
    expect(shown.get('a1')).toMatchObject({ delivery: 'pending' })
    expect(shown.get('a1')?.refusal).toBeUndefined()
    await refuse(index, { code: 'internal' })
    await vi.advanceTimersByTimeAsync(16_000)
  }
  expect(shown.get('a1')).toMatchObject({ delivery: 'pending', refusal: 'internal' })
  drop(shown.get('a1')!)
  // A late response must not restore the dropped message.
  await refuse(4, { code: 'internal' })
  expect(left().map(({ id }) => id)).toEqual(['a2'])
  await vi.advanceTimersByTimeAsync(16_000)
  expect(sent().at(-1)).toBe('a2')
})

it('A rate limit of a day fails only that message, and everything else goes out immediately', async () => {
  const { write, shown } = open()
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'], shouldAdvanceTime: true })
  write('a1', 'stranger')
  write('b1', 'friend')
  await refuse(0, { code: 'rate_limited', retryAfterMs: 86_400_000 })
  const refused = shown.get('a1')
  expect(refused).toMatchObject({ delivery: 'failed', refusal: 'rate_limited' })
  expect(Date.parse(refused?.retryAt ?? '') - Date.now()).toBeCloseTo(86_400_000, -3)
  await accept(1)
  write('b2', 'friend')
  expect(sent()).toEqual(['a1', 'b1', 'b2'])
})

it('A rate limit of under a minute is waited out, for that person alone', async () => {
  const { write, shown } = open()
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'], shouldAdvanceTime: true })
  write('a1', 'stranger')
  write('b1', 'friend')
  await refuse(0, { code: 'rate_limited', retryAfterMs: 59_000 })
  await accept(1)
  write('b2', 'friend')
  expect(sent()).toEqual(['a1', 'b1', 'b2'])
  await vi.advanceTimersByTimeAsync(59_100)
  expect(sent()).toEqual(['a1', 'b1', 'b2', 'a1'])
  expect(shown.get('a1')?.delivery).toBe('pending')
})

it('When the connection exceeds its rate limit, the outbox pauses for everyone', async () => {
  const { write } = open()
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'], shouldAdvanceTime: true })
  write('a1')
  await refuse(0, { code: 'rate_limited', retryAfterMs: 800 })
  for (const id of ['b1', 'b2', 'b3']) write(id, 'friend')
  expect([sent(), vi.getTimerCount()]).toEqual([['a1'], 1])
  await vi.advanceTimersByTimeAsync(900)
  expect(sent()).toEqual(['a1', 'a1', 'b1'])
})

it('Messages go out in the order they were written, even if the clock was set back and the page reloaded', async () => {
  const before = open(stored('clock'))
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 3_600_000)
  wire.line.connected = false
  const first = messageId()
  before.write(first)
  vi.useRealTimers()
  await eventually(async () => expect(await stored('clock').list('me')).toHaveLength(1))
  wire.line.connected = true
  vi.resetModules()
  const { createOutbox: createAnew } = await import('./outbox.ts')
  const { messageId: idOfNewPage } = await import('../message-id.ts')
  const after = open(stored('clock'), soloTabs, 'me', wire, createAnew)
  stops.push(after.start())
  await eventually(() => expect(after.waiting()).toHaveLength(1))
  const second = idOfNewPage()
  after.write(second)
  expect(after.waiting().map(({ id }) => id)).toEqual([first, second])
})

it('After a reload, unacknowledged messages go out again and failed ones wait', async () => {
  const before = open(stored('reload'))
  wire.line.connected = false
  before.write('a1')
  before.keep(waiting('a0', { delivery: 'failed' }))
  await eventually(async () => expect(await stored('reload').list('me')).toHaveLength(2))
  wire.line.connected = true
  const after = open(stored('reload'))
  stops.push(after.start())
  await eventually(() => expect(sent()).toEqual(['a1']))
  expect([...after.shown.keys()].sort()).toEqual(['a0', 'a1'])
  await accept(0)
  await eventually(async () => expect((await stored('reload').list('me')).map(({ id }) => id)).toEqual(['a0']))
})

it('The outbox keeps accounts apart and deletes everything on signing out', async () => {
  const mineToo = open(stored('shared'))
  wire.line.connected = false
  mineToo.write('a1')
  await eventually(async () => expect(await stored('shared').list('me')).toHaveLength(1))
  const other = open(stored('shared'), soloTabs, 'jun')
  stops.push(other.start())
  await settled()
  expect(other.waiting()).toEqual([])
  await other.clear()
  expect(await stored('shared').list('me')).toHaveLength(1)
  await mineToo.clear()
  expect(await stored('shared').list('me')).toEqual([])
})

it('The outbox sends a reply and an attachment along with the six basic fields', () => {
  const { keep, drain } = open()
  const replyTo = { seq: 7, senderId: 'maya', message: 'Hi', kind: 'text' as const }
  keep(waiting('a1', { replyTo, attachmentId: 'photo' }))
  drain()
  const six = { id: 'a1', message: 'a1', senderId: 'me', receiverId: 'maya', status: 'sent' }
  expect(wire.asked[0]?.payload).toEqual({
    ...six,
    timestamp: expect.any(String),
    replyTo: 7,
    attachmentId: 'photo',
  })
})

function browser() {
  const listeners = new Map<object, (news: TabNews) => void>()
  let line = Promise.resolve()
  return (): Tabs => {
    const self = {}
    return {
      alone: (work) => {
        line = line.then(work)
        return line
      },
      tell: (news) => {
        for (const [tab, listen] of listeners) if (tab !== self) queueMicrotask(() => listen(structuredClone(news)))
      },
      hear: (listen) => {
        listeners.set(self, listen)
        return () => listeners.delete(self)
      },
    }
  }
}

it('A message is sent by one of two tabs, shows in both, and is taken over when the first loses its connection', async () => {
  const tab = browser()
  const [first, second] = [fakeLine(), fakeLine()]
  const one = open(memoryStorage(), tab(), 'me', first)
  const other = open(memoryStorage(), tab(), 'me', second)
  stops.push(one.start(), other.start())
  await settled()
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'], shouldAdvanceTime: true })
  one.write('a1')
  await vi.advanceTimersByTimeAsync(3_000)
  expect([first.asked.length, second.asked.length]).toEqual([1, 0])
  expect(other.shown.get('a1')?.delivery).toBe('pending')
  first.line.connected = false
  void first.asked[0]!.fail()
  await vi.advanceTimersByTimeAsync(100)
  expect(second.by('send_message').map(({ payload }) => payload.id)).toEqual(['a1'])
  void second.asked[0]!.answer({ ok: true, message: mine(1, { id: 'a1' }) })
  await vi.advanceTimersByTimeAsync(100)
  expect([one.waiting(), other.waiting()]).toEqual([[], []])
  expect(one.taken.map(({ id }) => id)).toEqual(['a1'])
  first.line.connected = true
  one.drain()
  expect(first.asked).toHaveLength(1)
})

it('Setting the device’s clock back doesn’t lengthen a wait', async () => {
  const { write } = open()
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'], shouldAdvanceTime: true })
  const setBack = () => vi.setSystemTime(Date.now() - 3_600_000)
  write('a1')
  await refuse(0, { code: 'rate_limited', retryAfterMs: 1_000 })
  setBack()
  await vi.advanceTimersByTimeAsync(1_100)
  expect(sent()).toEqual(['a1', 'a1'])
  await refuse(1, { code: 'internal' })
  setBack()
  await vi.advanceTimersByTimeAsync(1_100)
  expect(sent()).toEqual(['a1', 'a1', 'a1'])
})

it('Stored messages of another shape are skipped, and the rest are listed', async () => {
  const store = createStore('shapes', 'messages')
  for (const [key, value] of Object.entries({ a: null, b: 'text', c: { senderId: 'me', id: 1 }, d: waiting('a1') }))
    await set(key, value, store)
  expect((await indexedDbStorage(store).list('me')).map(({ id }) => id)).toEqual(['a1'])
})
