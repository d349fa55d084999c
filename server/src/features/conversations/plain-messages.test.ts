import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { appendMessages, type NewMessage } from './messages.queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

let ana: Person
let ben: Person
let asked: string[]
beforeEach(async () => {
  ;[ana, ben] = (await people(app, 2)) as [Person, Person]
  await begin(ana, ben)
})

const text = (from: Person, to: Person, more: Partial<NewMessage> = {}): NewMessage => ({
  senderId: from.id,
  receiverId: to.id,
  id: randomUUID(),
  body: 'Shall we?',
  sentAt: new Date().toISOString(),
  ...more,
})

/** Appends messages and records the executed statements in `asked`. */
async function append(messages: NewMessage[]) {
  asked = []
  const client = {
    query: (statement: { name: string }) => {
      asked.push(statement.name)
      return app.platform.pool.query(statement as never)
    },
  }
  return appendMessages(client as never, messages, { needsMatch: false, now: new Date() })
}

const begin = (one: Person, other: Person) => append([text(one, other), text(other, one)])

const plain = 'append-plain-messages'
const any = 'append-messages'

async function rowOf(one: Person, other: Person) {
  const { rows } = await app.platform.pool.query(
    `select last_seq, revision, settled, wrote_lo, wrote_hi,
      case when user_lo = $1 then unread_lo else unread_hi end as unread_one,
      case when user_lo = $1 then unread_hi else unread_lo end as unread_other,
      (select json_agg(json_build_array(seq, revision, sender_id = $1) order by seq) from messages where conversation_id = c.id) as messages
     from conversations c where id = conversation_id($1, $2)`,
    [one.id, other.id],
  )
  return rows[0]
}

describe('plain texts in answered conversations', () => {
  it('the fast path stores plain texts exactly as the general one would', async () => {
    const [cleo, dan] = (await people(app, 2)) as [Person, Person]
    await begin(cleo, dan)
    const talk = (one: Person, other: Person) => [text(one, other), text(other, one), text(one, other)]
    const short = await append([...talk(ana, ben)])
    expect(asked).toEqual([plain])
    // A reply isn't plain, so the general function appends its whole batch.
    const long = await append([text(cleo, dan, { replyTo: 1 }), ...talk(cleo, dan).slice(1)])
    expect(asked).toEqual([any])
    expect(short).toEqual(long)
    expect(short.map(({ seq, revision }) => [seq, revision])).toEqual([3, 4, 5].map((n) => [n, n]))
    expect(await rowOf(ana, ben)).toEqual(await rowOf(cleo, dan))
  })

  it('plain texts are stored the same one by one as in a batch', async () => {
    const [cleo, dan] = (await people(app, 2)) as [Person, Person]
    await begin(cleo, dan)
    const talk = (one: Person, other: Person) => [text(one, other), text(other, one), text(one, other)]
    const together = await append(talk(ana, ben))
    const alone = []
    for (const message of talk(cleo, dan)) alone.push(...(await append([message])))
    expect(asked).toEqual([plain])
    expect(alone).toEqual(together)
    expect(await rowOf(cleo, dan)).toEqual(await rowOf(ana, ben))
  })

  it('plain texts are numbered by conversation and answered in order of arrival', async () => {
    const [cleo] = (await people(app, 1)) as [Person]
    await begin(ana, cleo)
    const kept = await append([text(ana, ben), text(cleo, ana), text(ben, ana), text(ana, cleo), text(ana, ben)])
    expect(asked).toEqual([plain])
    expect(kept.map(({ seq }) => seq)).toEqual([3, 3, 4, 4, 5])
  })
})

describe('batches that take the general path', () => {
  it("a batch with a conversation's first message takes the general path", async () => {
    const [cleo] = (await people(app, 1)) as [Person]
    const kept = await append([text(ana, ben), text(ana, cleo)])
    expect(asked).toEqual([plain, any])
    expect(kept).toMatchObject([
      { seq: 3, appeared: false },
      { seq: 1, appeared: true },
    ])
  })

  it('a batch with the first answer takes the general path', async () => {
    const [cleo] = (await people(app, 1)) as [Person]
    await append([text(ana, cleo)])
    expect(await append([text(ana, cleo)])).toMatchObject([{ seq: 2, appeared: false }])
    expect(asked).toEqual([plain, any])
    expect(await append([text(cleo, ana)])).toMatchObject([{ seq: 3, appeared: true }])
    expect(await append([text(cleo, ana)])).toMatchObject([{ seq: 4, appeared: false }])
    expect(asked).toEqual([plain])
  })

  it('a batch with a repeat takes the general path, which marks it as a duplicate', async () => {
    const again = text(ana, ben)
    await append([again])
    const kept = await append([again, text(ben, ana)])
    expect(asked).toEqual([plain, any])
    expect(kept).toMatchObject([
      { seq: 3, duplicate: true },
      { seq: 4, duplicate: false },
    ])
  })

  it('a batch with the same message twice takes the general path', async () => {
    const twice = text(ana, ben)
    const kept = await append([twice, twice])
    expect(asked).toEqual([any])
    expect(kept).toMatchObject([
      { seq: 3, duplicate: false },
      { seq: 3, duplicate: true },
    ])
  })

  it('a batch with a blocked sender takes the general path, which refuses only that message', async () => {
    const [cleo] = (await people(app, 1)) as [Person]
    await begin(ana, cleo)
    await app.platform.pool.query('insert into blocks (blocker_id, blocked_id, created_at) values ($1, $2, now())', [
      cleo.id,
      ana.id,
    ])
    const kept = await append([text(ana, cleo), text(ana, ben)])
    expect(asked).toEqual([plain, any])
    expect(kept).toMatchObject([{ refusal: 'not_found' }, { refusal: null, seq: 3 }])
    expect(await append([text(ana, cleo)])).toMatchObject([{ refusal: 'not_found' }])
  })

  it('a batch with a conversation that someone removed takes the general path, which lists it again', async () => {
    await ben.call('DELETE /api/conversations/:userId', { params: { userId: ana.id } })
    const kept = await append([text(ana, ben)])
    expect(asked).toEqual([plain, any])
    expect(kept).toMatchObject([{ seq: 3, appeared: true }])
    await append([text(ana, ben)])
    expect(asked).toEqual([plain])
  })
})
