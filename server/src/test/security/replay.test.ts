import { api } from '@duet/contract/api.ts'
import { requests } from '@duet/contract/realtime.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import type { TestApp } from '../app.ts'
import { accountsTable } from './authorization/accounts.table.ts'
import { type Cast, type Stage, startWithCast } from './authorization/cast.ts'
import { conversationsTable } from './authorization/conversations.table.ts'
import { peopleTable } from './authorization/people.table.ts'
import { socketsTable } from './authorization/sockets.table.ts'
import { cellsOf, type Entry, type Parts } from './authorization/table.ts'
import { answerTo, type Wanted } from './requests.ts'
import type { Rows } from './rows.ts'
import { openWire } from './wire.ts'

/** Everything the member does with their own data and with people they know. */
const routes = Object.entries({ ...accountsTable, ...peopleTable, ...conversationsTable }).filter(
  ([name]) => !/requestOtp|verifyOtp|register|authenticate/.test(name),
)
const sockets = Object.entries(socketsTable).filter(([name]) => !name.includes('#'))

let app: TestApp
let rows: Rows
let cast: Cast
let close: Stage['close']
beforeAll(async () => {
  ;({ app, rows, cast, close } = await startWithCast())
  await rows.query(`update profiles set bio = 'Everybody may read this', preferences = '{"diet":{"accepts":["vegan"],"dealbreaker":true}}'
    where name = 'member'`)
  await cast.people.member.who.call('PUT /api/questions/:id/answer', {
    params: { id: 'day_rhythm' },
    body: { choice: 'late', accepts: ['late'], importance: 'very' },
  })
  await rows.keep()
})
afterAll(() => close())

interface Recorded {
  name: string
  wanted: Omit<Wanted, 'token'>
}

function recorded(name: string, entry: Entry): Recorded[] {
  const [method = '', path = ''] = (name.split(' #')[0] ?? '').split(' ')
  const done = cellsOf(name, entry).filter(({ role, expected }) => role === 'member' && expected.startsWith('2'))
  return done.map(({ column }) => {
    const id = cast.idOf(entry.about, column, 'member')
    const parts = entry.send({ id, cast, caller: 'member' }) as Parts
    return { name, wanted: { method, path, ...parts } }
  })
}

const mounted = new Set<string>(api.map(({ method, path }) => `${method} ${path}`))
const traffic = () =>
  routes.flatMap(([name, entry]) => (mounted.has(name.split(' #')[0] ?? '') ? recorded(name, entry) : []))

/** The member's rows, except those that others may always create: likes, blocks and messages to the member. */
async function rowsOfMember(replayer: string): Promise<string[]> {
  const { id } = cast.people.member.who
  const all = [...(await rows.read())].flatMap(([table, found]) => found.map((row) => `${table} ${row}`))
  return all.filter((row) => row.includes(id) && !row.includes(replayer))
}

/** Data that only the member may read: addresses, tokens, filters, answers, messages, and ids of what they own. */
function privateOf(): string[] {
  const { email, birthDate, session, notification, who } = cast.people.member
  return [
    email,
    birthDate,
    who.token,
    session,
    notification,
    `Secret of ${who.id}`,
    '"accepts":["vegan"]',
    '"choice":"late"',
  ]
}

const all = ['stranger', 'blocked', 'other'] as const
for (const { tags, cases } of firstQuick(1, all))
  describe.each(cases)("the member's traffic, sent again with the token of %s", { tags }, (replayer) => {
    afterAll(() => rows.restore())

    it('The member’s traffic, replayed by another person, changes and reveals nothing of the member’s.', async () => {
      const { who } = cast.people[replayer]
      const before = await rowsOfMember(who.id)
      const leaks: string[] = []
      // The member's contacts can read their conversation with the member.
      const mayRead = replayer === 'other' ? /^Secret of/ : /^$/
      const hidden = privateOf().filter((words) => !mayRead.test(words))
      for (const { name, wanted } of traffic()) {
        if (name.startsWith('POST /api/user/signOut')) continue
        const { text } = await answerTo(app.url, { ...wanted, token: who.token })
        leaks.push(...hidden.filter((words) => text.includes(words)).map((words) => `${name} tells ${words}`))
      }
      expect(leaks).toEqual([])
      expect(await rowsOfMember(who.id)).toEqual(before)
    })

    it('Replayed socket requests in the member’s name are refused.', async () => {
      const { who } = cast.people[replayer]
      const before = await rowsOfMember(who.id)
      const wire = await openWire(app.url, who.token)
      for (const [name, { about, send }] of sockets) {
        if (!Object.hasOwn(requests, name)) continue
        await wire.ask(name, send({ id: cast.idOf(about, 'other', 'member'), cast, caller: 'member' }))
      }
      const forged = await wire.ask('send_message', {
        ...{
          id: 'replayed',
          message: 'In another name',
          senderId: cast.people.member.who.id,
          receiverId: cast.people.other.who.id,
        },
      })
      wire.close()
      expect(forged).toMatchObject({ ok: false, code: 'forbidden' })
      expect(await rowsOfMember(who.id)).toEqual(before)
    })
  })

describe('the traffic', () => {
  it('The recorded traffic succeeds when the member sends it.', { tags: 'long' }, async () => {
    const refused: string[] = []
    for (const { name, wanted } of traffic()) {
      const { outcome } = await answerTo(app.url, { ...wanted, token: cast.people.member.who.token })
      if (!outcome.startsWith('2')) refused.push(`${name}: ${outcome}`)
      await rows.restore()
    }
    expect(refused).toEqual([])
  })
})
