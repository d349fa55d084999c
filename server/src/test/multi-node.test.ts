import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'
import { startNodeProcess, startTestNodes, type TestNodes } from './nodes.ts'
import { type Person, people } from './people.ts'
import { hasRedis } from './redis.ts'
import { type Client, connect } from './sockets.ts'

const ids = (list: { id: string }[] | undefined) => (list ?? []).map(({ id }) => id)
const write = (client: Client, from: Person, to: Person, message = 'Hello', id: string = randomUUID()) =>
  client.ask('send_message', { id, message, senderId: from.id, receiverId: to.id })
const texts = (client: Client) => client.received('private message').map(({ message }) => message)
const lastOnline = (client: Client) => ids(client.received('user_online').at(-1))

// Without redis-server scripts/test.mjs says in one line that these are skipped.
describe.skipIf(!hasRedis)('two nodes', () => {
  let nodes: TestNodes
  beforeAll(async () => {
    nodes = await startTestNodes()
  })
  afterAll(() => nodes?.close())

  const pair = async () => (await people(nodes.here, 2)) as [Person, Person]
  const join = (app: Pick<TestApp, 'url'>, person: Person) => connect(app, person)
  /** Two people who talk, each connected to another node. */
  async function apart() {
    const [ana, ben] = await pair()
    const [anaHere, benThere] = [await join(nodes.here, ana), await join(nodes.there, ben)]
    await write(anaHere, ana, ben, 'first')
    await benThere.next('user_online', (list) => ids(list).includes(ana.id))
    await anaHere.next('user_online', (list) => ids(list).includes(ben.id))
    return { ana, ben, anaHere, benThere }
  }

  it('carry messages both ways in the order they were sent', async () => {
    const { ana, ben, anaHere, benThere } = await apart()
    const lines = Array.from({ length: 100 }, (_, n) => `${n}`)
    await Promise.all([
      ...lines.map((line) => write(anaHere, ana, ben, `a${line}`)),
      ...lines.map((line) => write(benThere, ben, ana, `b${line}`)),
    ])
    const fromAna = lines.map((line) => `a${line}`)
    const fromBen = lines.map((line) => `b${line}`)
    await expect.poll(() => texts(benThere).length).toBe(101)
    expect(texts(benThere)).toEqual(['first', ...fromAna])
    await expect.poll(() => texts(anaHere)).toEqual(fromBen)
  })

  it('bring a message to the other devices of its sender, and not twice to the one that sent it', async () => {
    const { ana, ben, anaHere } = await apart()
    const anaThere = await join(nodes.there, ana)
    await write(anaHere, ana, ben, 'from my other device')
    await expect.poll(() => texts(anaThere)).toEqual(['from my other device'])
    expect(texts(anaHere)).toEqual([])
  })

  it('show who is online on the other one, and who is not any more', async () => {
    const { ana, anaHere, benThere } = await apart()
    anaHere.socket.disconnect()
    await expect.poll(() => lastOnline(benThere), { timeout: 4_000 }).toEqual([])
    await join(nodes.here, ana)
    await expect.poll(() => lastOnline(benThere)).toEqual([ana.id])
  })

  it('do not show somebody as gone who moves from one to the other', async () => {
    const { ana, anaHere, benThere } = await apart()
    anaHere.socket.disconnect()
    await join(nodes.there, ana)
    await sleep(1_500)
    expect(benThere.received('user_online').filter((list) => list.length === 0).length).toBeLessThanOrEqual(1)
    expect(lastOnline(benThere)).toEqual([ana.id])
  })

  it('carry typing between people who talk, from the first message on', async () => {
    const { ana, ben, anaHere, benThere } = await apart()
    benThere.socket.emit('typing', { to: ana.id })
    expect(await anaHere.next('typing')).toEqual({ senderId: ben.id })
    anaHere.socket.emit('stop_typing', { to: ben.id })
    expect(await benThere.next('stop_typing')).toEqual({ senderId: ana.id })
  })

  it('tell nothing to somebody who only opened a conversation', async () => {
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

  it('let a block act on the other one within two seconds', async () => {
    const { ana, ben, anaHere, benThere } = await apart()
    await ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })
    await expect.poll(() => lastOnline(benThere), { timeout: 2_000 }).toEqual([])
    await benThere.ask('typing', { to: ana.id })
    expect(await write(benThere, ben, ana)).toMatchObject({ ok: false, code: 'not_found' })
    await sleep(300)
    expect(anaHere.received('typing')).toEqual([])
    expect(texts(anaHere)).toEqual([])
  })

  it('close the connections of a session that ends on the other one within two seconds', async () => {
    const [ana] = await pair()
    const anaThere = await join(nodes.there, ana)
    const closed = new Promise<string>((resolve) => anaThere.socket.once('disconnect', resolve))
    const since = performance.now()
    await ana.call('POST /api/user/signOut')
    // The one reason after which a client does not come back by itself.
    expect(await closed).toBe('io server disconnect')
    expect(performance.now() - since).toBeLessThan(2_000)
    await expect(join(nodes.there, ana)).rejects.toThrow('unauthenticated')
  })

  it('count what somebody does on either together', async () => {
    const limit = { name: `test-${randomUUID()}`, points: 0.0004, seconds: 60 }
    const [one, other] = [nodes.here.platform.limits, nodes.there.platform.limits]
    for (const limits of [one, other, one, other]) await limits.spendHere(limit, 'ana')
    await expect(one.spendHere(limit, 'ana')).rejects.toMatchObject({ code: 'rate_limited' })
    await expect(other.spendHere(limit, 'ana')).rejects.toMatchObject({ code: 'rate_limited' })
    await other.spendHere(limit, 'ben')
  })

  it('keep their heads when Redis forgets everything', async () => {
    const { ana, ben, anaHere, benThere } = await apart()
    await nodes.redis.flushAll()
    await write(anaHere, ana, ben, 'after the flush')
    await expect.poll(() => texts(benThere)).toEqual(['first', 'after the flush'])
    await sleep(1_200)
    expect(lastOnline(benThere)).toEqual([ana.id])
    await nodes.here.platform.limits.spendHere({ name: 'flushed', points: 1, seconds: 1 }, 'ana')
  })

  it('go on alone without Redis, and say that something may have been missed once it is back', async () => {
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
    // Longer than a lease: to each node the people of the other one are offline now.
    await expect.poll(() => nodes.there.platform.realtime.isConnected(ana.id), { timeout: 4_000 }).toBe(false)

    await nodes.redis.start()
    for (const client of [anaHere, benHere, benThere]) expect(await client.next('resync')).toEqual({ withinMs: 10_000 })
    await expect.poll(() => lastOnline(benThere), { timeout: 5_000 }).toEqual([ana.id])
    await write(anaHere, ana, ben, 'together again')
    await expect.poll(() => texts(benThere).at(-1)).toBe('together again')
    expect(faults).toEqual([])
  }, 40_000)

  it('show the people of one that was killed as offline once its lease has run out', async () => {
    const [ana, ben] = await pair()
    const node = await startNodeProcess(nodes)
    onTestFinished(() => void node.child.kill('SIGKILL'))
    const [anaHere, benAway] = [await join(nodes.here, ana), await join(node, ben)]
    await write(anaHere, ana, ben)
    await anaHere.next('user_online', (list) => ids(list).includes(ben.id))
    expect(await benAway.next('private message')).toMatchObject({ senderId: ana.id })
    node.child.kill('SIGKILL')
    await node.exited
    // Lease and grace: 1.5 s and 1 s here, 45 s and 1 s by default.
    await expect.poll(() => lastOnline(anaHere), { timeout: 5_000 }).toEqual([])
    expect(nodes.here.platform.realtime.isConnected(ben.id)).toBe(false)
  }, 60_000)

  it('lose nothing when one is told to stop while people write', async () => {
    const [ana, ben] = await pair()
    const node = await startNodeProcess(nodes, 400)
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
    // Not a farewell of the server's: the client comes back by itself.
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
    // Whatever was kept was pushed to the other node as well, in order.
    await expect.poll(() => texts(benHere).length).toBe(kept.length)
    expect(texts(benHere)).toEqual(asked.filter((id) => kept.includes(id)))
  }, 60_000)
})
