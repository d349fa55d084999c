import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../../test/app.ts'
import type { TestDatabase } from '../../test/database.ts'
import { type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { peopleSince, send, startBoth } from './acts.test-spam.ts'
import { spendNewcomerLimits } from './newcomers.ts'

let database: TestDatabase
let open: TestApp
let limited: TestApp
let close: () => Promise<void>
let others: Person[]
beforeAll(async () => {
  ;({ database, open, limited, close } = await startBoth())
  others = await people(open, 62)
})
afterAll(() => close())

const other = (place: number) => others[place] as Person
const newcomer = async () => (await people(open, 1))[0] as Person
const established = async () => (await peopleSince(open, database, 1, 73))[0] as Person

describe('someone new', () => {
  it('A newcomer can send a hundred messages to someone who doesn’t answer, and two hundred an hour in all.', async () => {
    const since = limited.clock.now()
    const before = { place: 0, name: 'Ben', since, messages: 99, answered: false, matched: false, kept: false }
    const count = (changes: Partial<typeof before>, senderId: string) =>
      spendNewcomerLimits(limited.platform, { senderId, body: 'Hello' }, { ...before, ...changes })
    const [ana, ben] = [randomUUID(), randomUUID()]
    await count({}, ana)
    await expect(count({ messages: 100 }, ana)).rejects.toMatchObject({ code: 'rate_limited' })
    for (let sent = 0; sent < 200; sent++) await count({ messages: 1 }, ben)
    await expect(count({ messages: 1 }, ben)).rejects.toMatchObject({ code: 'rate_limited' })
    await count({ messages: 100, answered: true }, ben)
    await count({ messages: 100, matched: true }, ben)
  })

  it('A newcomer’s repeated message isn’t counted again.', { tags: 'long' }, async () => {
    const ana = await newcomer()
    const device = await connect(limited, ana)
    const id = randomUUID()
    for (let tries = 0; tries < 3; tries++)
      expect(await send(device, ana, other(0), 'One', id)).toMatchObject({ ok: true, message: { seq: 1 } })
  })

  it('A newcomer can’t send more concurrently than in sequence.', { tags: ['long', 'race'] }, async () => {
    const ana = await newcomer()
    const device = await connect(limited, ana)
    const begun = await Promise.all(others.slice(0, 26).map((to) => send(device, ana, to)))
    expect(begun.filter(({ ok }) => ok)).toHaveLength(20)
  })

  it('A newcomer can start twenty conversations a day, on any process.', async () => {
    const ana = await newcomer()
    const device = await connect(limited, ana)
    for (const to of others.slice(0, 20)) expect(await send(device, ana, to)).toMatchObject({ ok: true })
    expect(await send(device, ana, other(20))).toMatchObject({ ok: false, code: 'rate_limited' })
    // A nonexistent receiver doesn't count.
    const cleo = await newcomer()
    const hers = await connect(limited, cleo)
    for (let tries = 0; tries < 22; tries++)
      expect(await send(hers, cleo, { id: randomUUID() })).toMatchObject({ code: 'not_found' })
    expect(await send(hers, cleo, other(1))).toMatchObject({ ok: true })
  })

  it('A newcomer can send links in a first message to three people a day, and freely to those who answered.', async () => {
    const ana = await newcomer()
    const [device, ben] = [await connect(limited, ana), await connect(limited, other(2))]
    const look = 'Look at www.example.com'
    for (const to of others.slice(2, 5)) expect(await send(device, ana, to, look)).toMatchObject({ ok: true })
    expect(await send(device, ana, other(5), look)).toMatchObject({ ok: false, code: 'rate_limited' })
    expect(await send(device, ana, other(5), 'Hello')).toMatchObject({ ok: true })
    await send(ben, other(2), ana, 'Do you have another page?')
    expect(await send(device, ana, other(2), look)).toMatchObject({ ok: true })
  })
})

describe('someone who has been here for three days', () => {
  it('An established person can start sixty conversations a day, with links, without waiting for answers.', {
    tags: 'long',
  }, async () => {
    const ben = await established()
    const device = await connect(limited, ben)
    for (let count = 0; count < 4; count++)
      expect(await send(device, ben, other(0), 'www.example.com')).toMatchObject({ ok: true })
    for (const to of others.slice(1, 60)) expect(await send(device, ben, to)).toMatchObject({ ok: true })
    expect(await send(device, ben, other(60))).toMatchObject({ ok: false, code: 'rate_limited' })
    expect(await send(device, ben, other(0))).toMatchObject({ ok: true })
  })

  it('An established person’s messages stay in order, answered or not.', async () => {
    const [ben, cleo] = (await peopleSince(open, database, 2, 73)) as [Person, Person]
    const [device, hers] = [await connect(limited, ben), await connect(limited, cleo)]
    const some = (from: number) =>
      Promise.all(Array.from({ length: 15 }, (_, n) => send(device, ben, cleo, `${from + n}`)))
    const first = some(0)
    await hers.next('private message', ({ message }) => message === '3')
    await send(hers, cleo, ben, 'Yes')
    await Promise.all([first, some(15)])
    const texts = () => hers.received('private message').filter(({ senderId }) => senderId === ben.id)
    // A message acknowledged here arrives a moment later.
    await expect.poll(() => texts().length).toBe(30)
    expect(texts().map(({ message }) => message)).toEqual(Array.from({ length: 30 }, (_, n) => `${n}`))
  })
})
