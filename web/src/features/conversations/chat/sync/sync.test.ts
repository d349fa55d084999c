// @vitest-environment node
import { describe, expect, it, vi } from 'vitest'
import { hasOlder } from '../conversation-list.ts'
import { calls, device, offlineDevice, rest, server, talk, upTo } from '../device.test-fake.ts'

it('The list is requested once, then only its changes since the last complete answer', async () => {
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
  // Pushes don't advance the cursor; only complete responses do.
  talk(1)
  await chat.sync.now()
  expect(since).toEqual([{ since: '3' }, { since: '4' }])
  expect(maya()).toMatchObject({ unreadCount: 5, lastSeq: 5 })
})

describe('a page that loads the list over HTTP', () => {
  const asked = (line: Awaited<ReturnType<typeof device>>['line']) => {
    const since: unknown[] = []
    const ask = line.timeout().emitWithAck
    vi.spyOn(line, 'timeout').mockReturnValue({
      emitWithAck: (name, payload) => {
        if (name === 'get_conversations') since.push(payload)
        return ask(name, payload)
      },
    })
    return since
  }

  it('After loading the list over HTTP, the socket sends only changes and removals', async () => {
    talk(3)
    server.write('kofi', 'kofi')
    const { chat, line, maya } = offlineDevice()
    chat.list.merge([server.row('maya'), server.row('kofi')])
    server.unlist('kofi')
    const since = asked(line)
    const loaded = chat.sync.load()
    line.connected = true
    await chat.connected()
    await loaded
    expect(since).toEqual([{ since: '5' }])
    expect(chat.list.read().map(({ id }) => id)).toEqual(['maya'])
    expect(maya().unreadCount).toBe(3)
  })

  it('A removed row that a late load brings back is removed again', async () => {
    talk(1)
    server.write('kofi', 'kofi')
    const { chat } = await device()
    await chat.sync.load()
    const answer = calls.answer
    vi.spyOn(calls, 'answer').mockImplementationOnce(async (...asked) => {
      const told = await Reflect.apply(answer, calls, asked)
      server.unlist('kofi')
      await chat.sync.now()
      return told
    })
    await chat.sync.load()
    await rest()
    expect(chat.list.read().map(({ id }) => id)).toEqual(['maya'])
  })

  it('The socket loads the full list if the HTTP load fails or takes longer than five seconds', async () => {
    talk(3)
    for (const answer of [() => Promise.reject(new Error('no network')), () => new Promise<never>(() => undefined)]) {
      const { chat, line, maya } = offlineDevice()
      const since = asked(line)
      const failing = vi.spyOn(calls, 'answer').mockImplementationOnce(answer)
      chat.sync.load().catch(() => undefined)
      line.connected = true
      void chat.connected()
      await rest(5_100)
      failing.mockRestore()
      expect(since).toEqual([undefined])
      expect(maya().lastSeq).toBe(3)
    }
  })
})

it('A message lost in a push is fetched automatically', async () => {
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

it('A hanging request for missing messages is aborted and retried', async () => {
  talk(3)
  let lost = false
  const { chat, seqs } = await device(() => lost)
  await chat.pages.open('maya')
  lost = true
  talk(1)
  lost = false
  const hangs = vi.spyOn(calls, 'answer').mockImplementation((...asked) => {
    const { signal } = asked[1] as { signal: AbortSignal }
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  await chat.sync.now()
  await rest(300)
  expect(hangs).toHaveBeenCalledTimes(1)
  hangs.mockRestore()
  await rest(20_000)
  expect(seqs()).toEqual([1, 2, 3, 4])
})

it('A lost edit is fetched when the list shows a later revision', async () => {
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

it('After missing more than two hundred messages, a thread restarts from its newest page', async () => {
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

it('Up to two hundred missed messages are fetched in pages, and the loaded ones stay', async () => {
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

it('A row from before its newest message triggers another sync', async () => {
  talk(3)
  const { chat, maya } = await device()
  chat.handlers.conversations([{ ...server.row('maya'), lastMessage: null, lastSeq: 2, unreadCount: 9 }])
  chat.list.remove(['maya'])
  chat.handlers.conversations([{ ...server.row('maya'), lastMessage: null, lastSeq: 2, unreadCount: 9 }])
  expect(maya().unreadCount).toBe(9)
  await rest(300)
  expect(maya()).toMatchObject({ unreadCount: 3, lastSeq: 3 })
})

it('The whole list is requested again before its photo URLs expire', async () => {
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

it('Deleting an unread message lowers the count and restoring it raises it, in memory or not', async () => {
  talk(60)
  const deleted = { message: '', deletedAt: '2026-01-01T10:00:00.000Z' }
  const { chat, maya } = await device()
  expect(maya().unreadCount).toBe(60)
  server.change('maya', 3, deleted)
  await rest(300)
  expect(maya().unreadCount).toBe(59)
  talk(1)
  server.change('maya', 61, deleted)
  expect(maya().unreadCount).toBe(59)
  server.change('maya', 61, { message: 'given back', deletedAt: undefined })
  await rest(300)
  expect(maya().unreadCount).toBe(60)
  server.change('maya', 60, { message: 'edited' })
  await chat.sync.now()
  expect(maya().unreadCount).toBe(60)
})
