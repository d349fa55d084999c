import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../../test/app.ts'
import type { TestDatabase } from '../../test/database.ts'
import { type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { administrator, soon } from '../reports/cases.test-reports.ts'
import { peopleSince, send, startBoth, startLimited } from './acts.test-spam.ts'

let database: TestDatabase
let open: TestApp
let limited: TestApp
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, open, limited, close } = await startBoth())
})
afterAll(() => close())

const pitch = (count: number) =>
  `Hello there! I am Sofia, ${20 + count} years old, and I would so much like to know you. Tell me everything about you ${'!'.repeat(count)}`
const shadowed = async () =>
  (await open.platform.pool.query<{ user_id: string }>(`select user_id from sanctions where kind = 'shadow'`)).rows.map(
    ({ user_id }) => user_id,
  )
const heardFrom = async (who: Person, from: Person) => {
  const { body } = await who.call('GET /api/messages/history')
  return body.filter(({ id }) => id === from.id).flatMap(({ messages }) => messages ?? [])
}

describe('a machine that writes the same to everyone', () => {
  it('a machine that writes the same to everyone reaches at most seven people before its restriction, and nobody after it', {
    tags: 'long',
  }, async () => {
    const [bot] = (await peopleSince(open, database, 1, 100)) as [Person]
    const victims = await people(open, 12)
    const [first] = victims as [Person]
    const [device, hers] = [await connect(limited, bot), await connect(limited, first)]
    let reached = 0
    for (const [count, victim] of victims.entries()) {
      expect(await send(device, bot, victim, pitch(count))).toMatchObject({ ok: true, message: { seq: 1 } })
      if ((await heardFrom(victim, bot)).length > 0) reached += 1
    }
    expect(reached).toBe(7)
    expect(await shadowed()).toEqual([bot.id])
    // People who got the message without answering no longer see it or any trace of it.
    await expect.poll(() => heardFrom(first, bot)).toEqual([])
    for (const victim of victims) expect(await heardFrom(victim, bot)).toEqual([])
    await send(device, bot, first, 'Are you there?')
    expect(await heardFrom(first, bot)).toEqual([])
    const kinds = (await first.call('GET /api/notifications')).body.notifications.map(({ kind }) => kind)
    expect(kinds).toEqual(['welcome'])
    expect(await heardFrom(bot, first)).toHaveLength(2)
    expect((await hers.ask('get_conversations')) as object).toMatchObject({ ok: true })

    const admin = await administrator(open)
    const { body } = await admin.call('GET /api/admin/reviews', { query: { limit: 50 } })
    expect(body.reviews).toMatchObject([
      { kind: 'spam', person: { id: bot.id }, note: expect.stringContaining('8 people') },
    ])
    const decided = await admin.send('POST', `/api/admin/reviews/${body.reviews[0]?.id}/decision`, {
      action: 'dismiss',
    })
    expect(decided).toMatchObject({ status: 200 })
    const delivered = await soon(async () => {
      const heard = await heardFrom(first, bot)
      return heard.length > 0 ? heard : undefined
    })
    expect(delivered.map(({ seq }) => seq)).toEqual([1, 2])
    expect((await first.call('GET /api/messages/history')).body).toMatchObject([{ id: bot.id, unreadCount: 2 }])
  })

  it('a machine is noticed across processes', { tags: 'long' }, async () => {
    const [bot] = (await peopleSince(open, database, 1, 100)) as [Person]
    const victims = await people(open, 10)
    const { open: beside, limited: other } = await startLimited(database)
    try {
      const devices = [await connect(limited, bot), await connect(other, bot)]
      for (const [count, victim] of victims.entries())
        await send(devices[count % 2] as (typeof devices)[0], bot, victim, pitch(count))
      expect(await shadowed()).toContain(bot.id)
    } finally {
      await other.close()
      await beside.close()
    }
  })
})

const openings = [
  'Your photo in the mountains made me smile. Which trail was that?',
  'You play the cello! I gave up the piano at twelve and regret it to this day.',
  'Two truths and a lie: I have met a bear, I cannot swim, I once won a pie contest.',
  'Hi, how was your weekend?',
  'We both like cooking: what would you make for someone who eats no meat?',
  'I have never met anyone who keeps bees. How did you begin?',
  'That is a very serious dog for such a small sofa. What is it called?',
  'Hello! Sunday is my day for museums. Which one should I not miss?',
  'You wrote that you talk to plants. What did they say this morning?',
  'Hey',
]
const endings = [
  '',
  ' Tell me more!',
  ' I am curious.',
  ' No hurry with an answer.',
  ' Greetings from across the river.',
]

describe('people who write to each other', () => {
  it('none of fifty people who write to each other is taken for a machine', { tags: 'long' }, async () => {
    const everybody = await peopleSince(open, database, 50, 100)
    const before = await shadowed()
    const answers: boolean[] = []
    for (const [place, one] of everybody.entries()) {
      const device = await connect(limited, one)
      for (let nth = 0; nth < 6; nth++) {
        const to = everybody[(place + 1 + nth * 7) % everybody.length] as Person
        const text = `${openings[(place * 3 + nth) % openings.length]}${endings[(place + nth * 2) % endings.length]}`
        answers.push((await send(device, one, to, text)).ok)
      }
      device.socket.disconnect()
    }
    expect(answers).toEqual(Array(300).fill(true))
    expect(await shadowed()).toEqual(before)
  })
})
