import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administrator } from '../features/reports/cases.test-reports.ts'
import { send } from '../features/spam/acts.test-spam.ts'
import { startTestNodes, type TestNodes } from './nodes.ts'
import { type Person, people } from './people.ts'
import { hasRedis } from './redis.ts'
import { type Client, connect } from './sockets.ts'

const pitch = (count: number) =>
  `Hello there! I am Sofia, ${20 + count} years old, and I would so much like to know you. Tell me everything about you${'!'.repeat(count)}`
const texts = (client: Client) => client.received('private message').map(({ message }) => message)
const online = (client: Client) => (client.received('user_online').at(-1) ?? []).map(({ id }) => id)
const pause = () => new Promise((resolve) => setTimeout(resolve, 400))

describe.skipIf(!hasRedis)('two nodes', () => {
  let nodes: TestNodes
  beforeAll(async () => {
    // The bot writes through this node, which has production rate limits.
    nodes = await startTestNodes({ RATE_LIMIT_SCALE: '1' })
  })
  afterAll(() => nodes?.close())

  async function clear(userId: string): Promise<void> {
    const admin = await administrator(nodes.here)
    const { body } = await admin.call('GET /api/admin/reviews', { query: { limit: 50 } })
    const review = body.reviews.find(({ person }) => person.id === userId)
    const decided = await admin.send('POST', `/api/admin/reviews/${review?.id}/decision`, { action: 'dismiss' })
    expect(decided.status).toBe(200)
  }

  it('Two nodes hold messages back from every device, and deliver them to all once they are released.', {
    tags: 'long',
  }, async () => {
    const [bot, ben, ...others] = (await people(nodes.here, 9)) as [Person, Person, ...Person[]]
    const [device, second] = [await connect(nodes.there, bot), await connect(nodes.here, bot)]
    const [benHere, benThere] = [await connect(nodes.here, ben), await connect(nodes.there, ben)]
    const both = [benHere, benThere]
    await send(device, bot, ben, pitch(0))
    for (const client of both) await client.next('user_online', (list) => list.some(({ id }) => id === bot.id))

    // Sending the same text to an eighth person exceeds the limit; from then on, unanswered messages are also held on
    // the other node.
    for (const [count, other] of others.entries()) await send(device, bot, other, pitch(count + 1))
    for (const client of both) {
      const listed = async () => {
        expect(await client.ask('get_conversations')).toMatchObject({ ok: true })
        return client.received('conversations').at(-1)
      }
      await expect.poll(listed).toEqual([])
    }
    await expect.poll(() => both.map(online)).toEqual([[], []])
    const heard = both.map((client) => texts(client).length)
    await send(device, bot, ben, 'Are you there?')
    for (const client of [device, second]) client.socket.emit('typing', { to: ben.id })
    // The sender doesn't notice: their other device shows the message, and Ben still appears online.
    await second.next('private message', ({ message }) => message === 'Are you there?')
    expect([device, second].map(online)).toEqual([[ben.id], [ben.id]].map((ids) => expect.arrayContaining(ids)))
    await pause()
    expect(both.map((client) => texts(client).length)).toEqual(heard)
    expect(both.flatMap((client) => client.received('typing'))).toEqual([])

    await clear(bot.id)
    for (const client of both) {
      await client.next('private message', ({ message }) => message === 'Are you there?')
      expect(texts(client)).toEqual([pitch(0), pitch(0), 'Are you there?'])
      expect(client.received('conversations').at(-1)).toMatchObject([{ id: bot.id, lastSeq: 0 }])
    }
    await expect.poll(() => both.map(online)).toEqual([[bot.id], [bot.id]])
    for (const client of [device, second]) client.socket.emit('typing', { to: ben.id })
    for (const client of both) await expect.poll(() => client.received('typing').length).toBe(2)
    expect(await send(second, bot, ben, 'Hello again')).toMatchObject({ ok: true, message: { seq: 3 } })
    for (const client of both) await client.next('private message', ({ message }) => message === 'Hello again')
  })
})
