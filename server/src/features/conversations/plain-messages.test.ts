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

/** Appends in the app's database; `asked` tells by which statements. */
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

/** Both write for the first time. */
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

describe('texts between people who talk already', () => {
  it('go by the short way, and leave what the long one would have left', async () => {
    const [cleo, dan] = (await people(app, 2)) as [Person, Person]
    await begin(cleo, dan)
    const talk = (one: Person, other: Person) => [text(one, other), text(other, one), text(one, other)]
    const short = await append([...talk(ana, ben)])
    expect(asked).toEqual([plain])
    // A message that answers another is not plain, and takes its whole batch along.
    const long = await append([text(cleo, dan, { replyTo: 1 }), ...talk(cleo, dan).slice(1)])
    expect(asked).toEqual([any])
    expect(short).toEqual(long)
    expect(short.map(({ seq, revision }) => [seq, revision])).toEqual([3, 4, 5].map((n) => [n, n]))
    expect(await rowOf(ana, ben)).toEqual(await rowOf(cleo, dan))
  })

  it('leave the same alone as together', async () => {
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

  it('are numbered by conversation, and answered in the order they came', async () => {
    const [cleo] = (await people(app, 1)) as [Person]
    await begin(ana, cleo)
    const kept = await append([text(ana, ben), text(cleo, ana), text(ben, ana), text(ana, cleo), text(ana, ben)])
    expect(asked).toEqual([plain])
    expect(kept.map(({ seq }) => seq)).toEqual([3, 3, 4, 4, 5])
  })
})

describe('a batch goes the long way', () => {
  it('with the first message of a conversation, which appears', async () => {
    const [cleo] = (await people(app, 1)) as [Person]
    const kept = await append([text(ana, ben), text(ana, cleo)])
    expect(asked).toEqual([plain, any])
    expect(kept).toMatchObject([
      { seq: 3, appeared: false },
      { seq: 1, appeared: true },
    ])
  })

  it('with the first answer, from which on the other one is told what was read', async () => {
    const [cleo] = (await people(app, 1)) as [Person]
    await append([text(ana, cleo)])
    expect(await append([text(ana, cleo)])).toMatchObject([{ seq: 2, appeared: false }])
    expect(asked).toEqual([plain, any])
    expect(await append([text(cleo, ana)])).toMatchObject([{ seq: 3, appeared: true }])
    expect(await append([text(cleo, ana)])).toMatchObject([{ seq: 4, appeared: false }])
    expect(asked).toEqual([plain])
  })

  it('with a repeat of what is kept, which is told as one', async () => {
    const again = text(ana, ben)
    await append([again])
    const kept = await append([again, text(ben, ana)])
    expect(asked).toEqual([plain, any])
    expect(kept).toMatchObject([
      { seq: 3, duplicate: true },
      { seq: 4, duplicate: false },
    ])
  })

  it('with the same message twice in it', async () => {
    const twice = text(ana, ben)
    const kept = await append([twice, twice])
    expect(asked).toEqual([any])
    expect(kept).toMatchObject([
      { seq: 3, duplicate: false },
      { seq: 3, duplicate: true },
    ])
  })

  it('with someone who was blocked, who alone is refused', async () => {
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

  it('with a conversation that someone took off their list, which comes back', async () => {
    await ben.call('DELETE /api/conversations/:userId', { params: { userId: ana.id } })
    const kept = await append([text(ana, ben)])
    expect(asked).toEqual([plain, any])
    expect(kept).toMatchObject([{ seq: 3, appeared: true }])
    await append([text(ana, ben)])
    expect(asked).toEqual([plain])
  })
})
