import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { shortTimes, startNodeProcess, startTestNodes, type TestNodes } from './nodes.ts'
import { type Person, people } from './people.ts'
import { createTestRedis, hasRedis } from './redis.ts'
import { type Client, connect } from './sockets.ts'

const ids = (list: { id: string }[] | undefined) => (list ?? []).map(({ id }) => id)
const send = (client: Client, from: Person, to: Person, message: string, id: string = randomUUID()) =>
  client.ask('send_message', { id, message, senderId: from.id, receiverId: to.id })
/** Sends again after `retry`, as the app does when the database is slow. */
async function write(client: Client, from: Person, to: Person, message = 'Hello', id: string = randomUUID()) {
  let answer = await send(client, from, to, message, id)
  while (answer.code === 'retry') answer = await send(client, from, to, message, id)
  return answer
}
const texts = (client: Client) => client.received('private message').map(({ message }) => message)
const carriesAgain = (client: Client, from: Person, to: Person, receiver: Client) =>
  expect
    .poll(async () => {
      await write(client, from, to, 'healed')
      return texts(receiver).at(-1)
    })
    .toBe('healed')
const lastOnline = (client: Client) => ids(client.received('user_online').at(-1))

describe.skipIf(!hasRedis)('two nodes', () => {
  let nodes: TestNodes
  beforeAll(async () => {
    nodes = await startTestNodes()
  })
  afterAll(() => nodes?.close())

  const pair = async () => (await people(nodes.here, 2)) as [Person, Person]
  const join = (app: Pick<TestApp, 'url'>, person: Person) => connect(app, person)
  async function apart() {
    const [ana, ben] = await pair()
    const [anaHere, benThere] = [await join(nodes.here, ana), await join(nodes.there, ben)]
    await write(anaHere, ana, ben, 'first')
    await benThere.next('user_online', (list) => ids(list).includes(ana.id))
    await anaHere.next('user_online', (list) => ids(list).includes(ben.id))
    return { ana, ben, anaHere, benThere }
  }

  it('Two nodes share whether someone is using one of their devices.', async () => {
    const [ana] = await pair()
    const seenFrom = ({ platform }: TestApp) => platform.realtime.isLooking(ana.id)
    const [first, second] = [await join(nodes.there, ana), await join(nodes.there, ana)]
    await expect.poll(() => seenFrom(nodes.here)).toBe(true)
    await first.ask('looking', { looking: false })
    expect(seenFrom(nodes.there)).toBe(true)
    await second.ask('looking', { looking: false })
    await expect.poll(() => seenFrom(nodes.here)).toBe(false)
    expect(nodes.here.platform.realtime.isConnected(ana.id)).toBe(true)
    await first.ask('looking', { looking: true })
    await expect.poll(() => seenFrom(nodes.here)).toBe(true)
    first.socket.disconnect()
    await expect.poll(() => seenFrom(nodes.here)).toBe(false)
    expect(nodes.here.platform.realtime.isConnected(ana.id)).toBe(true)
  })

  it('Two nodes deliver messages both ways in the order they were sent.', async () => {
    const { ana, ben, anaHere, benThere } = await apart()
    const lines = Array.from({ length: 100 }, (_, n) => `${n}`)
    const sendAll = async (client: Client, from: Person, to: Person, sign: string) => {
      const answers = await Promise.all(lines.map((line) => send(client, from, to, sign + line)))
      expect(answers.filter(({ ok, code }) => !ok && code !== 'retry')).toEqual([])
      return lines.filter((_, n) => answers[n]?.ok).map((line) => sign + line)
    }
    const [fromAna, fromBen] = await Promise.all([sendAll(anaHere, ana, ben, 'a'), sendAll(benThere, ben, ana, 'b')])
    expect(fromAna.length + fromBen.length).toBeGreaterThan(0)
    await expect.poll(() => texts(benThere)).toEqual(['first', ...fromAna])
    await expect.poll(() => texts(anaHere)).toEqual(fromBen)
  })

  it('Two nodes deliver a message to the sender’s other devices, but not back to the sending one.', async () => {
    const { ana, ben, anaHere } = await apart()
    const anaThere = await join(nodes.there, ana)
    await write(anaHere, ana, ben, 'from my other device')
    await write(anaHere, ana, ben, 'and one more')
    await expect.poll(() => texts(anaThere)).toContain('and one more')
    // The first message may still have been on its way between the nodes when this device connected.
    expect(texts(anaThere).filter((text) => text !== 'first')).toEqual(['from my other device', 'and one more'])
    expect(texts(anaHere)).toEqual([])
  })

  it('Two nodes each receive only events for people connected to them.', async () => {
    const [ana, ben] = await pair()
    const { realtime } = nodes.here.platform
    const benThere = await join(nodes.there, ben)
    benThere.socket.disconnect()
    await expect.poll(() => nodes.there.platform.realtime.isConnectedHere(ben.id)).toBe(false)
    const heard = () => [nodes.here, nodes.there].map(({ platform }) => platform.realtime.figures().heard)
    await join(nodes.there, ana)
    const before = heard()
    for (let count = 0; count < 10; count++) realtime.publish([ana.id, ben.id], 'likes_changed', { count })
    await expect.poll(heard).toEqual([before[0], (before[1] as number) + 10])
  })

  it('Two nodes show who comes online and goes offline on the other.', async () => {
    const { ana, anaHere, benThere } = await apart()
    anaHere.socket.disconnect()
    await expect.poll(() => lastOnline(benThere)).toEqual([])
    await join(nodes.here, ana)
    await expect.poll(() => lastOnline(benThere)).toEqual([ana.id])
  })

  it('A person who moves between two nodes stays online.', { tags: 'long' }, async () => {
    const { ana, anaHere, benThere } = await apart()
    anaHere.socket.disconnect()
    await join(nodes.there, ana)
    await sleep(1_500)
    expect(benThere.received('user_online').filter((list) => list.length === 0).length).toBeLessThanOrEqual(1)
    expect(lastOnline(benThere)).toEqual([ana.id])
  })

  it('Two nodes pass typing on between people once they have exchanged a message.', async () => {
    const { ana, ben, anaHere, benThere } = await apart()
    benThere.socket.emit('typing', { to: ana.id })
    expect(await anaHere.next('typing')).toEqual({ senderId: ben.id })
    anaHere.socket.emit('stop_typing', { to: ben.id })
    expect(await benThere.next('stop_typing')).toEqual({ senderId: ana.id })
  })

  it('Two nodes pass on no presence or typing before the first message.', { tags: 'long' }, async () => {
    const [ana, ben] = await pair()
    const [anaHere, benThere] = [await join(nodes.here, ana), await join(nodes.there, ben)]
    await anaHere.ask('get_or_create_conversation', { withUser: ben.id })
    await anaHere.ask('typing', { to: ben.id })
    await sleep(500)
    expect(anaHere.received('user_online').flat()).toEqual([])
    expect(benThere.received('typing')).toEqual([])
    const again = await join(nodes.here, ana)
    expect(await again.next('user_online')).toEqual([])
  })

  it('A block on one node takes effect on the other immediately.', { tags: 'long' }, async () => {
    const { ana, ben, anaHere, benThere } = await apart()
    await ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })
    await expect.poll(() => lastOnline(benThere)).toEqual([])
    await benThere.ask('typing', { to: ana.id })
    expect(await write(benThere, ben, ana)).toMatchObject({ ok: false, code: 'not_found' })
    await sleep(300)
    expect(anaHere.received('typing')).toEqual([])
    expect(texts(anaHere)).toEqual([])
  })

  it('Hiding presence on one node immediately stops presence and typing on the other.', {
    tags: 'long',
  }, async () => {
    const { ana, ben, anaHere, benThere } = await apart()
    await ben.call('PATCH /api/privacy', { body: { hidePresence: true } })
    await expect.poll(() => [lastOnline(anaHere), lastOnline(benThere)]).toEqual([[], []])
    await anaHere.ask('typing', { to: ben.id })
    await benThere.ask('typing', { to: ana.id })
    const [eve] = await pair()
    const eveHere = await join(nodes.here, eve)
    await write(eveHere, eve, ben)
    await write(benThere, ben, eve)
    const benHere = await join(nodes.here, ben)
    await sleep(600)
    for (const client of [anaHere, benThere, eveHere, benHere]) {
      expect(client.received('typing')).toEqual([])
      expect(lastOnline(client)).toEqual([])
    }
    await ben.call('PATCH /api/privacy', { body: { hidePresence: false } })
    await expect.poll(() => lastOnline(benThere)).toHaveLength(2)
    await expect.poll(() => [lastOnline(anaHere), lastOnline(eveHere)]).toEqual([[ben.id], [ben.id]])
  })

  it('Two nodes close connections of a session that ends on the other.', async () => {
    const [ana] = await pair()
    const anaThere = await join(nodes.there, ana)
    const closed = new Promise<string>((resolve) => anaThere.socket.once('disconnect', resolve))
    await ana.call('POST /api/user/signOut')
    // The only disconnect reason after which a client doesn't reconnect.
    expect(await closed).toBe('io server disconnect')
    await expect(join(nodes.there, ana)).rejects.toThrow('unauthenticated')
  })

  /** Whether the third use of a limit of two is refused, even if the nodes counted the first two separately. */
  async function countsTogether(): Promise<boolean> {
    const limit = { name: `test-${randomUUID()}`, points: 0.0002, seconds: 60 }
    for (const app of [nodes.here, nodes.there]) await app.platform.limits.spendHere(limit, 'ana')
    const third = nodes.here.platform.limits.spendHere(limit, 'ana')
    return third.then(
      () => false,
      ({ code }) => code === 'rate_limited',
    )
  }

  it('Two nodes share one rate limit per person.', async () => {
    // While Redis is slow, each node counts alone.
    await expect.poll(countsTogether).toBe(true)
  })

  it('Two nodes recover when Redis loses its data.', { tags: 'long' }, async () => {
    const { ana, ben, anaHere, benThere } = await apart()
    await nodes.redis.run('FLUSHALL')
    await nodes.redis.publish('duet:nodes', 'what no node understands')
    await write(anaHere, ana, ben, 'after the flush')
    await expect.poll(() => texts(benThere)).toEqual(['first', 'after the flush'])
    await sleep(1_200)
    expect(lastOnline(benThere)).toEqual([ana.id])
    await nodes.here.platform.limits.spendHere({ name: 'flushed', points: 1, seconds: 1 }, 'ana')
  })

  it('Two nodes work alone without Redis, and resync their clients once it is back.', {
    tags: 'long',
  }, async () => {
    const { ana, ben, anaHere, benThere } = await apart()
    const benHere = await join(nodes.here, ben)
    const faults: unknown[] = []
    const note = (fault: unknown) => faults.push(fault)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const sending = Promise.all(Array.from({ length: 60 }, (_, n) => write(anaHere, ana, ben, `burst ${n}`)))
    await nodes.redis.kill()
    expect((await sending).every(({ ok }) => ok)).toBe(true)
    expect(await write(anaHere, ana, ben, 'alone')).toMatchObject({ ok: true })
    await expect.poll(() => texts(benHere).at(-1)).toBe('alone')
    expect(texts(benHere)).toHaveLength(61)
    expect(texts(benThere)).not.toContain('alone')
    await nodes.here.platform.limits.spendHere({ name: 'alone', points: 1, seconds: 1 }, 'ana')
    // After a lease expires, each node considers the other's people offline.
    await expect.poll(() => nodes.there.platform.realtime.isConnected(ana.id)).toBe(false)

    await nodes.redis.start()
    for (const client of [anaHere, benHere, benThere]) expect(await client.next('resync')).toEqual({ withinMs: 10_000 })
    await expect.poll(() => lastOnline(benThere)).toEqual([ana.id])
    await carriesAgain(anaHere, ana, ben, benThere)
    await expect.poll(countsTogether).toBe(true)
    expect(faults).toEqual([])
  })

  it.each([
    ['the publishing connection', 'normal'],
    ['the subscribing connection', 'pubsub'],
  ])(
    'Two nodes that lose a message with %s still tell clients that something may be missing.',
    { tags: 'long' },
    async (_name, type) => {
      const { ana, ben, anaHere, benThere } = await apart()
      const before = benThere.received('resync').length
      const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`)
      const sending = Promise.all(lines.map((line) => write(anaHere, ana, ben, line)))
      await nodes.redis.run('CLIENT', 'KILL', 'TYPE', type)
      expect((await sending).every(({ ok }) => ok)).toBe(true)
      // The first message is also lost if a node was resubscribing when it was sent.
      const isWhole = () => lines.every((line) => texts(benThere).includes(line))
      await expect.poll(() => isWhole() || benThere.received('resync').length > before).toBe(true)
      await carriesAgain(anaHere, ana, ben, benThere)
    },
  )

  it('Two nodes resync their clients even when nothing was sent during the outage.', {
    tags: 'long',
  }, async () => {
    const { benThere } = await apart()
    const before = benThere.received('resync').length
    // Killing the connections may lose messages in transit, and no node knows which.
    await nodes.redis.run('CLIENT', 'KILL', 'TYPE', 'normal')
    await expect.poll(() => benThere.received('resync').length).toBeGreaterThan(before)
  })

  it('Two nodes acknowledge messages while Redis hangs, and resync their clients afterwards.', {
    tags: 'long',
  }, async () => {
    const { ana, ben, anaHere, benThere } = await apart()
    const benHere = await join(nodes.here, ben)
    const before = benThere.received('resync').length
    nodes.redis.signal('SIGSTOP')
    onTestFinished(() => nodes.redis.signal('SIGCONT'))
    for (let n = 0; n < 5; n++) {
      // Redis stays paused until all five messages are acknowledged.
      expect(await write(anaHere, ana, ben, `hanging ${n}`)).toMatchObject({ ok: true })
    }
    await expect.poll(() => texts(benHere).at(-1)).toBe('hanging 4')
    await sleep(7_000)
    nodes.redis.signal('SIGCONT')
    await expect.poll(() => benThere.received('resync').length).toBeGreaterThan(before)
    await expect.poll(() => lastOnline(benThere)).toEqual([ana.id])
    await carriesAgain(anaHere, ana, ben, benThere)
  })

  it('Two nodes accept connections while Redis hangs, and resync them afterwards.', {
    tags: 'long',
  }, async () => {
    const [ana] = await pair()
    nodes.redis.signal('SIGSTOP')
    onTestFinished(() => nodes.redis.signal('SIGCONT'))
    const anaThere = await join(nodes.there, ana)
    nodes.here.platform.realtime.publish([ana.id], 'likes_changed', { count: 1 })
    nodes.redis.signal('SIGCONT')
    await anaThere.next('resync')
    // The resync may come before the node has subscribed to her channel; then another resync follows for what she
    // missed.
    const isHeard = (nth: number) => anaThere.received('likes_changed').some(({ count }) => count === nth)
    for (let nth = 2; nth === 2 || !isHeard(nth - 1); nth++) {
      const before = anaThere.received('resync').length
      nodes.here.platform.realtime.publish([ana.id], 'likes_changed', { count: nth })
      await expect.poll(() => isHeard(nth) || anaThere.received('resync').length > before).toBe(true)
    }
  })

  it('Two nodes find each other when Redis starts after they did.', { tags: 'long' }, async () => {
    const redis = await createTestRedis()
    onTestFinished(() => redis.stop())
    const { database } = nodes
    const start = async () => {
      const app = await startTestApp({ REDIS_URL: redis.url }, { database, nodeTimes: shortTimes })
      onTestFinished(() => app.close())
      return app
    }
    const [one, other] = await Promise.all([start(), start()])
    const [ana, ben] = (await people(one, 2)) as [Person, Person]
    const [anaThere, benThere] = [await join(one, ana), await join(other, ben)]
    await write(anaThere, ana, ben, 'before')
    await redis.start()
    expect(await benThere.next('resync')).toEqual({ withinMs: 10_000 })
    await carriesAgain(anaThere, ana, ben, benThere)
    expect(texts(benThere)).not.toContain('before')
    await expect.poll(() => lastOnline(benThere)).toEqual([ana.id])
  })

  it('People on a killed node appear offline once its lease has expired.', { tags: 'long' }, async () => {
    const [ana, ben] = await pair()
    const node = await startNodeProcess(nodes)
    onTestFinished(() => void node.child.kill('SIGKILL'))
    const [anaHere, benAway] = [await join(nodes.here, ana), await join(node, ben)]
    await write(anaHere, ana, ben)
    await anaHere.next('user_online', (list) => ids(list).includes(ben.id))
    expect(await benAway.next('private message')).toMatchObject({ senderId: ana.id })
    node.child.kill('SIGKILL')
    await node.exited
    // Lease and grace period: 5 s and 1 s here, 45 s and 1 s by default.
    await expect.poll(() => lastOnline(anaHere)).toEqual([])
    expect(nodes.here.platform.realtime.isConnected(ben.id)).toBe(false)
  })

  it('No message is lost when one of two nodes is stopped while people write.', { tags: 'long' }, async () => {
    const [ana, ben] = await pair()
    const node = await startNodeProcess(nodes, 5_000)
    onTestFinished(() => void node.child.kill('SIGKILL'))
    const [anaAway, benHere] = [await join(node, ana), await join(nodes.here, ben)]
    const reason = new Promise<string>((resolve) => anaAway.socket.once('disconnect', resolve))
    const [acknowledged, asked]: [string[], string[]] = [[], []]
    let stopped = false
    const writing = (async () => {
      while (!stopped) {
        const id = randomUUID()
        asked.push(id)
        anaAway.socket.emit(
          'send_message',
          { id, message: id, senderId: ana.id, receiverId: ben.id },
          ({ ok }: { ok: boolean }) => ok && acknowledged.push(id),
        )
        await sleep(3)
      }
    })()
    await sleep(300)
    node.child.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${node.url}/readyz`)).status).toBe(503)
    expect(anaAway.socket.connected).toBe(true)
    await expect(join(node, ben)).rejects.toThrow()
    // The client reconnects, because this isn't a disconnect by the server.
    expect(await reason).toBe('transport close')
    stopped = true
    await writing
    expect(await node.exited).toEqual([0, null])
    const { rows } = await nodes.here.platform.pool.query('select client_id from messages where sender_id = $1', [
      ana.id,
    ])
    const kept = rows.map((row) => row.client_id)
    expect(acknowledged.length).toBeGreaterThan(20)
    expect(kept).toEqual(expect.arrayContaining(acknowledged))
    // Every stored message was pushed to the other node, in order.
    await expect.poll(() => texts(benHere).length).toBe(kept.length)
    expect(texts(benHere)).toEqual(asked.filter((id) => kept.includes(id)))
  })
})
