import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SendAck } from '@duet/contract/conversations.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { outgoing, pair } from '../../test/talk.ts'
import { createSending } from './sending.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

interface Line {
  id: string
  message: string
  senderId: string
  receiverId: string
}
type Answer = { seq: number; revision: number } | { error: string }

async function startProcess(): Promise<ChildProcess> {
  const { host, port, user, database } = ownerOf(app.platform)
  const child = fork(fileURLToPath(new URL('./batches.test-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      RACE_DATABASE: JSON.stringify({ host, port, user, database }),
      RACE_DATA_DIR: app.platform.config.dataDir,
    },
  })
  await once(child, 'message')
  return child
}

async function sendFrom(child: ChildProcess, lines: Line[]): Promise<Answer[]> {
  const answered = once(child, 'message')
  child.send(lines)
  return (await answered)[0]
}

/** The same messages in another order, as if a person sent them from two devices. */
function shuffled(lines: Line[], step: number): Line[] {
  return lines.map((_, n) => lines[(n * step) % lines.length] as Line)
}

const broken = `
  select c.id from conversations c left join lateral (
    select count(*) as count, max(seq) as last, count(distinct revision) as revisions, max(revision) as revision,
      count(*) filter (where sender_id = c.user_lo) as of_lo from messages where conversation_id = c.id) m on true
  where c.last_seq <> m.count or c.last_seq <> coalesce(m.last, 0) or m.revisions <> m.count or c.revision < m.revision
    or c.unread_hi <> m.of_lo or c.unread_lo <> m.count - m.of_lo`

it('two processes that write the same messages into the same conversations cause no deadlock, gap or duplicate', {
  tags: 'long',
}, async () => {
  const crowd = await people(app, 6)
  const pairs = crowd.flatMap((a) => crowd.filter((b) => b !== a).map((b) => [a, b] as const))
  const lines = Array.from({ length: 601 }, (_, n): Line => {
    const [from, to] = pairs[n % pairs.length] as [Person, Person]
    return { id: randomUUID(), message: `${n}`, senderId: from.id, receiverId: to.id }
  })
  const [one, other] = await Promise.all([startProcess(), startProcess()])
  try {
    for (const [step, back] of [
      [7, 11],
      [13, 599],
    ] as const) {
      const [mine, theirs] = [shuffled(lines, step), shuffled(lines, back)]
      const [answers, others] = await Promise.all([sendFrom(one, mine), sendFrom(other, theirs)])
      const byId = new Map(mine.map((line, n) => [line.id, answers[n]]))
      for (const [n, answer] of others.entries()) {
        expect(answer).toMatchObject({ seq: expect.any(Number) })
        expect(byId.get(theirs[n]?.id ?? '')).toEqual(answer)
      }
    }
    const { pool } = app.platform
    expect((await pool.query('select count(*) as count from messages')).rows).toEqual([{ count: lines.length }])
    expect((await pool.query(broken)).rows).toEqual([])
  } finally {
    const ended = Promise.all([once(one, 'exit'), once(other, 'exit')])
    one.disconnect()
    other.disconnect()
    await ended
  }
})

describe('repeated messages', () => {
  it('fifty concurrent sends of one message from two devices store it once and get equal answers', {
    tags: ['long', 'race'],
  }, async () => {
    const [ana, ben, first, benSocket] = await pair(app)
    const second = await connect(app, ana)
    const message = outgoing(ana, ben, 'once')
    const acks = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? first : second).ask('send_message', message)),
    )
    for (const ack of acks) expect(SendAck.parse(ack)).toEqual(acks[0])
    const { rows } = await app.platform.pool.query('select seq from messages where sender_id = $1', [ana.id])
    expect(rows).toEqual([{ seq: 1 }])
    await expect.poll(() => benSocket.received('private message').length).toBe(50)
  })

  it("a repeat of an old message doesn't bring a conversation back onto a list", async () => {
    const [ana, ben, anaSocket] = await pair(app)
    const message = outgoing(ana, ben)
    await anaSocket.ask('send_message', message)
    await ben.call('DELETE /api/conversations/:userId', { params: { userId: ana.id } })
    expect(await anaSocket.ask('send_message', message)).toMatchObject({ ok: true })
    expect((await ben.call('GET /api/messages/history')).body).toEqual([])
  })
})

describe("messages that can't be stored", () => {
  it("a message that can't be stored fails alone in its batch", async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const sending = createSending(app.platform, () => undefined)
    const send = (message: string, id: string = randomUUID()) =>
      sending.sendMessage(ana.id, { id, receiverId: ben.id, message })
    const results = await Promise.allSettled([
      send('first'),
      send('good'),
      send('half a character \ud800'),
      send('bad \u0000'),
      send('an id that is too long', 'x'.repeat(65)),
      send('also good'),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ])
    const { rows } = await app.platform.pool.query('select seq, body from messages where sender_id = $1 order by seq', [
      ana.id,
    ])
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(rows.at(-1)?.body).toBe('also good')
    expect((await app.platform.pool.query(broken)).rows).toEqual([])
  })

  it("a message that fails to be published doesn't prevent the delivery of others", async () => {
    const [ana, ben, cem, dan] = (await people(app, 4)) as [Person, Person, Person, Person]
    const sending = createSending(app.platform, (userId) => {
      if (userId === cem.id) throw new TypeError('poison')
    })
    const there = await connect(app, dan)
    const send = (receiver: Person) =>
      sending.sendMessage(ana.id, { id: randomUUID(), receiverId: receiver.id, message: 'Hello' })
    const results = await Promise.allSettled([send(ben), send(cem), send(dan), send(dan)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    await sending.close()
    await expect.poll(() => there.received('private message')).toHaveLength(2)
  })

  it("a message refused because of a block doesn't affect others in its batch", async () => {
    const [ana, ben, cem] = (await people(app, 3)) as [Person, Person, Person]
    await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
    const sending = createSending(app.platform, () => undefined)
    const send = (receiverId: string) => sending.sendMessage(ana.id, { id: randomUUID(), receiverId, message: 'x' })
    const results = await Promise.allSettled([
      send(cem.id),
      send(ben.id),
      send(cem.id),
      send(ana.id),
      send(randomUUID()),
    ])
    expect(results.map((result) => (result.status === 'rejected' ? result.reason.code : result.value.seq))).toEqual([
      1,
      'not_found',
      2,
      'not_found',
      'not_found',
    ])
    const { rows } = await app.platform.pool.query(
      'select count(*) as count from conversations where $1 in (user_lo, user_hi)',
      [ana.id],
    )
    expect(rows).toEqual([{ count: 1 }])
  })

  it('no message is stored after a block, however close together they are', { tags: 'long' }, async () => {
    for (let round = 0; round < 5; round++) {
      const [ana, ben, anaSocket] = await pair(app)
      await anaSocket.ask('send_message', outgoing(ana, ben))
      const sends = Promise.all(Array.from({ length: 30 }, () => anaSocket.ask('send_message', outgoing(ana, ben))))
      await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
      const count = async () =>
        (await app.platform.pool.query('select count(*) as count from messages where sender_id = $1', [ana.id])).rows[0]
      const atBlock = await count()
      await sends
      expect(await count()).toEqual(atBlock)
    }
  })
})

describe('locked conversations', () => {
  it('messages to a locked conversation fail alone, in the same batch and in later ones', {
    tags: 'long',
  }, async () => {
    const [ana, ben, ...others] = (await people(app, 11)) as [Person, Person, ...Person[]]
    const sending = createSending(app.platform, () => undefined)
    const send = ({ id: receiverId }: Person) =>
      sending.sendMessage(ana.id, { id: randomUUID(), receiverId, message: 'x' })
    for (const peer of [ben, ...others]) await send(peer)
    const holder = await app.platform.pool.connect()
    await holder.query('begin')
    await holder.query('select from conversations where id = conversation_id($1, $2) for update', [ana.id, ben.id])
    const flushes = vi.spyOn(app.platform.pool, 'query')
    try {
      for (const round of [1, 2, 3]) {
        const refused = Promise.allSettled([send(ben), send(ben)])
        const kept = await Promise.all(others.map(send))
        expect(kept.map(({ seq }) => seq)).toEqual(others.map(() => round + 1))
        for (const answer of await refused)
          expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'retry' } })
      }
      const failed = await Promise.allSettled(flushes.mock.results.map(({ value }) => value))
      // Both lanes may hit the lock before they know of it; after that, none waits for it again.
      expect(failed.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(2)
    } finally {
      await holder.query('commit')
      holder.release()
      flushes.mockRestore()
    }
    expect(await send(ben)).toMatchObject({ seq: 2 })
    expect((await app.platform.pool.query(broken)).rows).toEqual([])
  })
})

describe('overload', () => {
  it('under overload a message gets `retry`, and every message answered with ok is stored', {
    tags: 'long',
  }, async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    const holder = await app.platform.pool.connect()
    await holder.query('begin')
    await holder.query('select from conversations where id = conversation_id($1, $2) for update', [ana.id, ben.id])
    const first = anaSocket.ask('send_message', outgoing(ana, ben, 'under way'))
    const waiting = anaSocket.ask('send_message', outgoing(ana, ben, 'waits'))
    const late = new Promise((resolve) => setTimeout(resolve, 2_300)).then(() =>
      anaSocket.ask('send_message', outgoing(ana, ben, 'too late')),
    )
    expect(await first).toMatchObject({ ok: false, code: 'retry', retryAfterMs: 1_000 })
    const answers = [await waiting, await late]
    await holder.query('commit')
    holder.release()
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, code: 'retry' })
    expect(await anaSocket.ask('send_message', outgoing(ana, ben, 'again'))).toMatchObject({
      ok: true,
      message: { seq: 2 },
    })
  })
})
