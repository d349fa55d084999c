import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { hasRedis } from '../../test/redis.ts'
import { createTestCluster, type TestCluster } from '../../test/redis-cluster.ts'
import { createLogger } from '../logger.ts'
import type { Nodes } from './nodes.ts'
import { openNodes } from './open-nodes.ts'
import { connectCluster } from './redis-cluster.ts'

const log = createLogger('silent')
const times = { refreshMs: 500, leaseMs: 5_000 }
const channelOf = (userId: string) => `duet:person:${userId}`

interface TestNode {
  nodes: Nodes
  pushed: string[]
  missed(): number
}

async function join({ url }: Pick<TestCluster, 'url'>): Promise<TestNode> {
  const { nodes } = await openNodes(url, log, times)
  const pushed: string[] = []
  let missed = 0
  nodes.listen({
    ...{ moved: () => undefined, relayed: () => undefined, told: () => undefined, late: () => undefined },
    pushed: (userId, packet) => void pushed.push(`${userId} ${packet}`),
    missed: () => {
      missed += 1
    },
  })
  onTestFinished(() => nodes.leave())
  return { nodes, pushed, missed: () => missed }
}

/** Pushes until it arrives. */
const carries = (from: TestNode, to: TestNode, userId: string, packet: string) =>
  expect
    .poll(() => {
      from.nodes.push([userId], () => packet)
      return to.pushed
    })
    .toContain(`${userId} ${packet}`)

describe.skipIf(!hasRedis)('nodes that share a Redis Cluster', () => {
  let cluster: TestCluster
  beforeAll(async () => {
    cluster = await createTestCluster()
    await cluster.start()
  })
  afterAll(() => cluster?.stop())

  it('hear what is pushed to their own people, by whichever machine it goes, once and nothing else', async () => {
    const [one, two] = [await join(cluster), await join(cluster)]
    const people = Array.from({ length: 50 }, () => randomUUID())
    const owners = new Set(await Promise.all(people.map((userId) => cluster.ownerOf(channelOf(userId)))))
    expect(owners.size).toBe(3)
    for (const userId of people) await two.nodes.hear(userId)
    for (const userId of people) one.nodes.push([userId, randomUUID()], () => 'hello')
    await expect.poll(() => two.pushed.length).toBe(people.length)
    expect(two.pushed.toSorted()).toEqual(people.map((userId) => `${userId} hello`).toSorted())
    expect(one.nodes.heard()).toBe(0)
    for (const userId of people) two.nodes.ignore(userId)
    await expect
      .poll(async () => {
        return (await cluster.run('PUBSUB', 'SHARDCHANNELS', 'duet:person:*')).flat()
      })
      .toEqual([])
  })

  it('ask again what they may have missed when a part of the channels goes to another machine', async () => {
    const [one, two] = [await join(cluster), await join(cluster)]
    const userId = randomUUID()
    await two.nodes.hear(userId)
    await carries(one, two, userId, 'before')
    await cluster.move(channelOf(userId))
    for (let nth = 1; nth === 1 || !two.pushed.includes(`${userId} ${nth - 1}`); nth++) {
      const before = two.missed()
      one.nodes.push([userId], () => `${nth}`)
      await expect.poll(() => two.pushed.includes(`${userId} ${nth}`) || two.missed() > before).toBe(true)
    }
  })

  it('work alone while it is away, and hear each other when it comes', { tags: 'long' }, async () => {
    await cluster.kill()
    const [one, two] = [await join(cluster), await join(cluster)]
    expect([one.nodes.isJoined(), two.nodes.isJoined()]).toEqual([false, false])
    const userId = randomUUID()
    await two.nodes.hear(userId)
    await cluster.start()
    await carries(one, two, userId, 'here')
    expect(two.missed()).toBeGreaterThan(0)
  })

  it('count as alone while one of its machines is down, and ask again when it is back', { tags: 'long' }, async () => {
    const [one, two] = [await join(cluster), await join(cluster)]
    const userId = randomUUID()
    await two.nodes.hear(userId)
    await carries(one, two, userId, 'before')
    const machine = await cluster.ownerOf(channelOf(userId))
    await machine.kill()
    await expect.poll(() => [one.nodes.isJoined(), two.nodes.isJoined()]).toEqual([false, false])
    one.nodes.push([userId], () => 'lost')
    const before = two.missed()
    await machine.start()
    await carries(one, two, userId, 'after')
    await expect.poll(two.missed).toBeGreaterThan(before)
    expect(two.pushed).not.toContain(`${userId} lost`)
  })

  it('say that something may have been lost when a part of the channels goes to another machine', async () => {
    const { publisher, close } = connectCluster(cluster.url, log)
    onTestFinished(close)
    let lost = 0
    publisher.onLost(() => {
      lost += 1
    })
    await expect.poll(publisher.isReady).toBe(true)
    const before = lost
    await cluster.move(channelOf(randomUUID()))
    await expect.poll(() => lost).toBeGreaterThan(before)
  })

  it('go on when what they count is on its way to a machine that is down', { tags: 'long' }, async () => {
    const unheard: unknown[] = []
    const note = (reason: unknown) => void unheard.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const { counters, close } = connectCluster(cluster.url, log)
    onTestFinished(close)
    const key = randomUUID()
    const count = () => counters.incr(key).catch((err: Error) => err)
    // What is answered late has been counted: first it is asked whether there is one.
    const answersNothing = () => expect.poll(() => counters.get(key).catch((err: Error) => err)).toBeNull()
    await answersNothing()
    expect(await count()).toBe(1)
    const owner = await cluster.ownerOf(key)
    await counters.del(key)
    const move = await cluster.beginMove(key)
    expect(move.to).not.toBe(owner)
    await move.to.kill()
    for (let nth = 0; nth < 20; nth++) expect(await count()).toBeInstanceOf(Error)
    await move.to.start()
    await move.finish()
    await answersNothing()
    expect(await count()).toBe(1)
    expect(unheard).toEqual([])
  })

  it('hear each other also where it calls its machines by other names, and one of those they were told has none', async () => {
    await cluster.run('CONFIG', 'SET', 'cluster-announce-hostname', 'localhost')
    await cluster.run('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'hostname')
    onTestFinished(async () => void (await cluster.run('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'ip')))
    const elsewhere = { url: `${cluster.url},machine.invalid:6379` }
    const [one, two] = [await join(elsewhere), await join(elsewhere)]
    const userId = randomUUID()
    await two.nodes.hear(userId)
    await carries(one, two, userId, 'hello')
    await expect.poll(() => [one.nodes.isJoined(), two.nodes.isJoined()]).toEqual([true, true])
  })
})

describe.skipIf(!hasRedis)('nodes whose Redis Cluster is not one yet', () => {
  it('wait until its machines know each other, and hear each other then', { tags: 'long' }, async () => {
    const cluster = await createTestCluster()
    onTestFinished(() => cluster.stop())
    await cluster.startApart()
    const [one, two] = [await join(cluster), await join(cluster)]
    expect([one.nodes.isJoined(), two.nodes.isJoined()]).toEqual([false, false])
    const userId = randomUUID()
    await two.nodes.hear(userId)
    await cluster.start()
    await carries(one, two, userId, 'here')
  })
})

describe.skipIf(!hasRedis)('nodes whose Redis Cluster speaks TLS alone', () => {
  it('join it if they trust its certificate', { tags: 'release' }, async () => {
    const cluster = await createTestCluster({ tls: true })
    onTestFinished(() => cluster.stop())
    await cluster.start()
    expect((await join(cluster)).nodes.isJoined()).toBe(false)
    const { connect } = tls
    vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions, ...rest: []) =>
      connect({ ...options, ca: cluster.certificate }, ...rest)) as typeof connect)
    onTestFinished(() => void vi.restoreAllMocks())
    const [one, two] = [await join(cluster), await join(cluster)]
    const userId = randomUUID()
    await two.nodes.hear(userId)
    await carries(one, two, userId, 'hello')
    expect([one, two].map(({ nodes }) => nodes.isJoined())).toEqual([true, true])
  })
})

describe.skipIf(!hasRedis)('nodes whose Redis Cluster has replicas', () => {
  let cluster: TestCluster
  afterAll(() => cluster?.stop())

  it.each(['killed', 'silent'] as const)(
    'go on when a primary is %s, and ask again what they may have missed',
    { tags: 'long' },
    async (how) => {
      cluster ??= await createTestCluster({ replicas: true })
      if (how === 'killed') await cluster.start()
      const [one, two] = [await join(cluster), await join(cluster)]
      // Not the first one, which tells the test who has which slot.
      const primary = cluster.members[how === 'killed' ? 1 : 2]
      let userId = randomUUID()
      while ((await cluster.ownerOf(channelOf(userId))) !== primary) userId = randomUUID()
      await two.nodes.hear(userId)
      await carries(one, two, userId, 'before')
      const before = two.missed()
      if (how === 'killed') await primary?.kill()
      else primary?.signal('SIGSTOP')
      one.nodes.push([userId], () => 'lost')
      await carries(one, two, userId, 'after')
      expect(await cluster.ownerOf(channelOf(userId))).not.toBe(primary)
      // The connection to the old one may end later than the new one is there.
      await sleep(3_000)
      expect([one.nodes.isJoined(), two.nodes.isJoined()]).toEqual([true, true])
      await expect.poll(two.missed).toBeGreaterThan(before)
    },
  )
})
