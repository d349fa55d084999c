import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { createLogger } from '../../server/src/platform/logger.ts'
import { openNodes } from '../../server/src/platform/realtime/open-nodes.ts'
import { createTestRedis, hasRedis } from '../../server/src/test/redis.ts'
import { type Figure, reportBeside } from '../../tools/report.ts'

// S2: how many packets all nodes together receive for each push to a person, as the number of nodes grows. For
// comparison, it also measures nodes that receive every push, as with socket.io's usual adapter.
const sizes = [2, 4, 8]
const peopleCount = 800
const pushes = 20_000
const log = createLogger('silent')

async function settled(read: () => number): Promise<number> {
  for (let before = -1; ; await sleep(200)) {
    const now = read()
    if (now === before) return now
    before = now
  }
}

interface Heard {
  ours: number
  /** The same if every node receives every push. */
  naive: number
}

async function heardBy(count: number, url: string): Promise<Heard> {
  const nodes = await Promise.all(Array.from({ length: count }, async () => (await openNodes(url, log)).nodes))
  for (const node of nodes)
    node.listen({
      ...{ moved: () => undefined, relayed: () => undefined, told: () => undefined, missed: () => undefined },
      ...{ late: () => undefined, pushed: () => undefined },
    })
  const everything = await Promise.all(
    nodes.map(async () => {
      const redis = new Redis(url)
      let heard = 0
      redis.on('pmessage', () => {
        heard += 1
      })
      await redis.psubscribe('duet:person:*')
      return { redis, heard: () => heard }
    }),
  )
  const sum = (heards: { heard(): number }[]) => heards.reduce((all, { heard }) => all + heard(), 0)
  const people = Array.from({ length: peopleCount }, () => randomUUID())
  await Promise.all(people.map((id, place) => nodes[place % count]?.hear(id)))
  for (let push = 0; push < pushes; push++) {
    nodes[push % count]?.push([people[(push * 7) % peopleCount] as string], () => 'x'.repeat(300))
    if (push % 500 === 0) await sleep(1)
  }
  const [ours, naive] = [await settled(() => sum(nodes)), await settled(() => sum(everything))]
  await Promise.all([...nodes.map((node) => node.leave()), ...everything.map(({ redis }) => redis.quit())])
  return { ours: ours / pushes, naive: naive / pushes }
}

async function measurePushes(): Promise<Figure[]> {
  const redis = await createTestRedis()
  await redis.start()
  try {
    const found: Heard[] = []
    for (const size of sizes) {
      const heard = await heardBy(size, redis.url)
      console.log(`  ${size} nodes: ${heard.ours} packets heard for each push, ${heard.naive} where everyone hears all`)
      found.push(heard)
    }
    const growth = (of: 'ours' | 'naive') => (found.at(-1)?.[of] as number) / (found[0]?.[of] as number)
    const note = `packets heard for each push at ${sizes.at(-1)} nodes over ${sizes[0]}; ${pushes} pushes to ${peopleCount} people, one Redis`
    return [
      { id: 'S2.growth', value: growth('ours'), target: '<= 1.1', note },
      {
        id: 'S2.naive_growth',
        value: growth('naive'),
        target: '>= 3',
        note: 'the same where every node hears every push',
      },
    ]
  } finally {
    await redis.stop()
  }
}

if (!hasRedis) throw new Error('The bench needs redis-server on the PATH.')
reportBeside('scale', await measurePushes())
