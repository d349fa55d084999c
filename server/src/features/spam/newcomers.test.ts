import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hours } from '../../platform/clock.ts'
import type { TestApp } from '../../test/app.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { peopleSince, send, startLimited } from './acts.test-spam.ts'

let database: TestDatabase
let open: TestApp
let limited: TestApp
let others: Person[]
beforeAll(async () => {
  database = await createTestDatabase()
  ;({ open, limited } = await startLimited(database))
  others = await people(open, 32)
})
afterAll(async () => {
  await limited.close()
  await open.close()
  await database.drop()
})

const other = (place: number) => others[place] as Person
const newcomer = async () => (await people(open, 1))[0] as Person
const established = async () => (await peopleSince(open, database, 1, 73))[0] as Person

describe('somebody new', () => {
  it('writes twice to a person, and goes on once there is an answer', async () => {
    const ana = await newcomer()
    const [device, ben] = [await connect(limited, ana), await connect(limited, other(0))]
    const id = randomUUID()
    expect(await send(device, ana, other(0), 'One', id)).toMatchObject({ ok: true, message: { seq: 1 } })
    expect(await send(device, ana, other(0), 'Two')).toMatchObject({ ok: true })
    const refused = await send(device, ana, other(0), 'Three')
    expect(refused).toMatchObject({ ok: false, code: 'rate_limited' })
    expect(refused.retryAfterMs).toBeGreaterThan(hours(71))
    // The same again is no new message.
    expect(await send(device, ana, other(0), 'One', id)).toMatchObject({ ok: true, message: { seq: 1 } })
    await send(ben, other(0), ana, 'Hello back')
    for (const text of ['Three', 'Four', 'Five'])
      expect(await send(device, ana, other(0), text)).toMatchObject({ ok: true })
  })

  it('cannot send more at once than one after the other', async () => {
    const ana = await newcomer()
    const device = await connect(limited, ana)
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(device, ana, other(0))))
    expect(sent.filter(({ ok }) => ok)).toHaveLength(2)
    const begun = await Promise.all(others.slice(1, 16).map((to) => send(device, ana, to)))
    expect(begun.filter(({ ok }) => ok)).toHaveLength(9)
  })

  it('begins ten conversations a day, wherever they are connected', async () => {
    const ana = await newcomer()
    const device = await connect(limited, ana)
    for (const to of others.slice(0, 10)) expect(await send(device, ana, to)).toMatchObject({ ok: true })
    expect(await send(device, ana, other(10))).toMatchObject({ ok: false, code: 'rate_limited' })
    // A person who is not there takes nothing away.
    const cleo = await newcomer()
    const hers = await connect(limited, cleo)
    for (let tries = 0; tries < 12; tries++)
      expect(await send(hers, cleo, { id: randomUUID() })).toMatchObject({ code: 'not_found' })
    expect(await send(hers, cleo, other(1))).toMatchObject({ ok: true })
  })

  it('sends no link with a first message, and may later', async () => {
    const ana = await newcomer()
    const [device, ben] = [await connect(limited, ana), await connect(limited, other(2))]
    expect(await send(device, ana, other(2), 'Look at www.example.com')).toMatchObject({
      ok: false,
      code: 'validation_failed',
    })
    await send(device, ana, other(2), 'Hello')
    await send(ben, other(2), ana, 'Do you have a page?')
    expect(await send(device, ana, other(2), 'Look at www.example.com')).toMatchObject({ ok: true })
  })

  it('sends thirty messages an hour to people they have no match with, and any number to a match', async () => {
    const [ana, dan] = [await newcomer(), await newcomer()]
    const [device, theirs] = [await connect(limited, ana), await connect(limited, dan)]
    await send(device, ana, dan)
    await send(theirs, dan, ana)
    const sent = []
    for (let count = 0; count < 34; count++) sent.push(await send(device, ana, dan))
    expect(sent.filter(({ ok }) => ok)).toHaveLength(29)
    expect(sent.at(-1)).toMatchObject({ code: 'rate_limited' })
    const eve = await newcomer()
    await open.platform.pool.query(
      `insert into matches (id, user_lo, user_hi, matched_at)
       values (conversation_id($1, $2), least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), now())`,
      [ana.id, eve.id],
    )
    for (let count = 0; count < 5; count++) expect(await send(device, ana, eve)).toMatchObject({ ok: true })
  })
})

describe('somebody who has been here for three days', () => {
  it('begins thirty conversations a day, with links, and waits for no answer', async () => {
    const ben = await established()
    const device = await connect(limited, ben)
    for (let count = 0; count < 4; count++)
      expect(await send(device, ben, other(0), 'www.example.com')).toMatchObject({ ok: true })
    for (const to of others.slice(1, 30)) expect(await send(device, ben, to)).toMatchObject({ ok: true })
    expect(await send(device, ben, other(30))).toMatchObject({ ok: false, code: 'rate_limited' })
    expect(await send(device, ben, other(0))).toMatchObject({ ok: true })
  })

  it('keeps the order of what they send, answered or not', async () => {
    const [ben, cleo] = (await peopleSince(open, database, 2, 73)) as [Person, Person]
    const [device, hers] = [await connect(limited, ben), await connect(limited, cleo)]
    const some = (from: number) =>
      Promise.all(Array.from({ length: 15 }, (_, n) => send(device, ben, cleo, `${from + n}`)))
    const first = some(0)
    await hers.next('private message', ({ message }) => message === '3')
    await send(hers, cleo, ben, 'Yes')
    await Promise.all([first, some(15)])
    const texts = hers.received('private message').filter(({ senderId }) => senderId === ben.id)
    expect(texts.map(({ message }) => message)).toEqual(Array.from({ length: 30 }, (_, n) => `${n}`))
  })
})
