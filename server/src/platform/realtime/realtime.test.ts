import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { io as connectClient } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import WebSocket from 'ws'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { standstillMs } from '../../test/standstill.ts'
import { outgoing, pair } from '../../test/talk.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const someone = async () => (await people(app, 1))[0] as Person

function isSlow(userId: string): boolean {
  const { realtime } = app.platform
  const { dropped } = realtime.figures()
  realtime.publishVolatile([userId], 'typing', { senderId: userId })
  return realtime.figures().dropped > dropped
}

/** Sends to devices that don't read until the operating system's buffers are full and volatile events are dropped. */
async function fill(userId: string): Promise<void> {
  const large = Array.from({ length: 800 }, () => ({ id: userId }))
  while (!isSlow(userId)) {
    app.platform.realtime.publish([userId], 'user_online', large)
    await sleep(0)
  }
}

async function rawDevice(person: Person): Promise<WebSocket> {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  onTestFinished(() => socket.terminate())
  const said = (beginning: string) =>
    new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        if (String(data).startsWith(beginning)) resolve()
      })
    })
  await said('0')
  const joined = said('40')
  socket.send(`40${JSON.stringify({ token: person.token })}`)
  await joined
  return socket
}

describe('A device that does not read', () => {
  it('A device that does not read loses typing events, then its connection, and others are unaffected', {
    tags: 'long',
  }, async () => {
    const [slow, quick] = [await someone(), await someone()]
    const { realtime } = app.platform
    const before = realtime.figures()
    const device = await rawDevice(slow)
    const other = await connect(app, quick)
    device.pause()
    const large = Array.from({ length: 800 }, () => ({ id: slow.id }))
    // More than the operating system buffers, so the rest waits in this process.
    for (let n = 0; n < 2_000 && realtime.isConnectedHere(slow.id); n++) {
      realtime.publish([slow.id], 'user_online', large)
      realtime.publishVolatile([slow.id], 'typing', { senderId: quick.id })
      if (n % 20 === 0) await sleep(10)
    }
    await expect.poll(() => realtime.isConnectedHere(slow.id)).toBe(false)
    expect(realtime.figures().cutOff).toEqual({ ...before.cutOff, slow: before.cutOff.slow + 1 })
    expect(realtime.figures().dropped).toBeGreaterThan(before.dropped)
    realtime.publish([quick.id], 'notifications_changed', {})
    await other.next('notifications_changed')
  })

  it('Back-pressure counts bytes, not characters', async () => {
    const slow = await someone()
    const device = await connect(app, slow)
    app.platform.realtime.publish([slow.id], 'user_online', [{ id: '語'.repeat(100_000) }])
    expect(isSlow(slow.id)).toBe(true)
    await device.next('user_online')
  })

  it('A device without progress for ten seconds is disconnected, however little waits', { tags: 'long' }, async () => {
    const slow = await someone()
    const { realtime } = app.platform
    const device = await rawDevice(slow)
    device.pause()
    const since = performance.now()
    await fill(slow.id)
    await expect.poll(() => realtime.isConnectedHere(slow.id), { interval: 100 }).toBe(false)
    expect(performance.now() - since).toBeGreaterThan(8_000)
  })

  it('A device is not disconnected because the server process was blocked', { tags: 'long' }, async () => {
    const slow = await someone()
    const { realtime } = app.platform
    const device = await rawDevice(slow)
    device.pause()
    await fill(slow.id)
    // The process blocks for longer than the stall limit, right after a check.
    await sleep(1_000)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_500)
    device.resume()
    await expect.poll(() => isSlow(slow.id)).toBe(false)
    expect(realtime.isConnectedHere(slow.id)).toBe(true)
  })
})

describe('Connections', () => {
  it.each<{ headers: Record<string, string>; status: number }>([
    { headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
    { headers: { origin: 'https://elsewhere.example' }, status: 403 },
    { headers: { 'sec-fetch-site': 'same-origin' }, status: 200 },
  ])('Long polling with $headers gets a $status', async ({ headers, status }) => {
    const answer = await fetch(`${app.url}/socket.io/?EIO=4&transport=polling`, { headers })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('One person may have at most twenty connections', async () => {
    const ana = await someone()
    for (let n = 0; n < 20; n++) await connect(app, ana)
    await expect(connect(app, ana)).rejects.toThrow('too_many_connections')
  })

  it('Simultaneous connections with one token cause one database query', { tags: 'long' }, async () => {
    const ana = await someone()
    // Longer than sessions are cached.
    await sleep(1_100)
    const asked: string[] = []
    const { query } = app.platform.pool
    app.platform.pool.query = ((...args: Parameters<typeof query>) => {
      const [first] = args as unknown as [{ name?: string }]
      if (first.name === 'find-sessions') asked.push(first.name)
      return query.apply(app.platform.pool, args)
    }) as typeof query
    onTestFinished(() => {
      app.platform.pool.query = query
    })
    await Promise.all(Array.from({ length: 10 }, () => connect(app, ana)))
    expect(asked).toEqual(['find-sessions'])
  })

  it('In a reconnect storm, refused clients retry until all are connected', { tags: 'long' }, async () => {
    const members = await people(app, 30)
    const small = await startTestApp({ RATE_LIMIT_SCALE: '0.01' }, { database: { config: ownerOf(app.platform) } })
    onTestFinished(() => small.close())
    const options = { transports: ['websocket'], forceNew: true, reconnectionDelay: 100, reconnectionDelayMax: 500 }
    const sockets = Array.from({ length: 30 }, (_, n) =>
      connectClient(small.url, { ...options, auth: { token: members[n]?.token } }),
    )
    onTestFinished(() => sockets.forEach((socket) => void socket.disconnect()))
    // The budgets allow five connections of a network and twenty in total immediately; all connect in the end.
    await Promise.all(sockets.map((socket) => once(socket as never, 'connect')))
    expect(small.platform.realtime.figures().refusedHandshakes).toBeGreaterThan(0)
  })
})

it('Messages of one connection keep their order even if a rate limit check is slow', async () => {
  const [ana, ben, anaHere, benHere] = await pair(app)
  const { limits } = app.platform
  const { spendHere } = limits
  onTestFinished(() => {
    limits.spendHere = spendHere
  })
  let counted = 0
  limits.spendHere = async (...use) => {
    const isFirst = counted++ === 0
    if (isFirst) await expect.poll(() => counted).toBe(5)
    await spendHere(...use)
  }
  const lines = ['one', 'two', 'three', 'four', 'five']
  const answers = await Promise.all(
    lines.map((line) => anaHere.socket.emitWithAck('send_message', outgoing(ana, ben, line))),
  )
  expect(answers.map(({ ok }) => ok)).toEqual(lines.map(() => true))
  await expect.poll(() => benHere.received('private message').map(({ message }) => message)).toEqual(lines)
})

it('A graceful shutdown answers pending requests, then closes connections so that clients reconnect', {
  tags: 'long',
}, async () => {
  const [ana, ben] = [await someone(), await someone()]
  const sockets = await Promise.all(
    [['websocket'], ['polling'], ['websocket']].map(async (transports) => {
      const socket = connectClient(app.url, { transports, forceNew: true, auth: { token: ana.token } })
      onTestFinished(() => void socket.disconnect())
      await once(socket as never, 'connect')
      return socket
    }),
  )
  const reasons = sockets.map((socket) => new Promise((resolve) => socket.once('disconnect', resolve)))
  const back = sockets.map((socket) => new Promise((resolve) => socket.io.once('reconnect', resolve)))
  const answers = Promise.allSettled(
    sockets.map((socket) => {
      const message = { id: randomUUID(), message: 'Hello', senderId: ana.id, receiverId: ben.id }
      return socket.timeout(standstillMs).emitWithAck('send_message', message)
    }),
  )
  // Long enough for the packets to arrive, too short to answer all of them.
  await sleep(15)
  await app.platform.realtime.drain()
  expect(app.platform.realtime.isConnectedHere(ana.id)).toBe(false)
  for (const reason of reasons) expect(await reason).toBe('transport close')
  const results = await answers
  const { rows } = await app.platform.pool.query('select client_id from messages where sender_id = $1', [ana.id])
  const answered = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.message.id] : []))
  expect(rows.map((row) => row.client_id).sort()).toEqual(answered.sort())
  await Promise.all(back)
})

describe('A device that connects during a database outage', () => {
  it('A device that connects during a database outage reconnects automatically afterwards', async () => {
    const newcomer = await someone()
    const { sessions } = app.platform
    const { find } = sessions
    sessions.find = () => Promise.reject(new Error('the database is away'))
    onTestFinished(() => void Object.assign(sessions, { find }))
    const socket = connectClient(app.url, {
      auth: { token: newcomer.token },
      transports: ['websocket'],
      reconnectionDelay: 100,
    })
    onTestFinished(() => void socket.disconnect())
    const refusals: Error[] = []
    socket.on('connect_error', (error) => refusals.push(error))
    await new Promise<void>((resolve) => socket.io.once('close', () => resolve()))
    sessions.find = find
    await expect.poll(() => socket.connected).toBe(true)
    expect(refusals.map(({ message }) => message)).not.toContain('unauthenticated')
  })
})
