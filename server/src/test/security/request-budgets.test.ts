import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownerOf, startTestApp, type TestApp } from '../app.ts'
import { type Person, people, person } from '../people.ts'
import { openWire } from './wire.ts'

// A hundredth of the production limits, so that a few requests exhaust a budget.
const scale = 0.01
let app: TestApp
let ana: Person
let ben: Person
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'fatal' })
  ;[ana, ben] = [await person(app), await person(app)]
})
afterAll(() => app.close())

function ask(url: string, path: string, { from, token }: { from: string; token?: string }) {
  return new Promise<{ status: number; retryAfter?: string | undefined }>((resolve, reject) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {}
    const call = request(url + path, { localAddress: from, headers, agent: false }, (answer) => {
      answer.resume().once('end', () => {
        resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] })
      })
    })
    call.once('error', reject).end()
  })
}
const many = <T>(count: number, act: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)))

async function strict(ofWhatHolds = scale): Promise<TestApp> {
  const { host, user, database } = ownerOf(app.platform)
  const config = { host: host ?? '', user: user ?? '', database: database ?? '' }
  return startTestApp({ LOG_LEVEL: 'fatal', RATE_LIMIT_SCALE: String(ofWhatHolds) }, { database: { config } })
}

describe('requests', () => {
  let own: TestApp
  beforeAll(async () => {
    own = await strict()
  })
  afterAll(() => own.close())
  const details = '/api/user/myDetails'
  const everything =
    'user/myDetails,user/sessions,blocks,privacy,standing,matching,questions,notifications,reports,consents,erasure,export'.split(
      ',',
    )

  it('The requests of one person who asks endlessly are refused with a waiting time; others’ are not.', async () => {
    // Calls each endpoint as often as its own limit allows, which is twice.
    const answers = await many(2 * everything.length, (n) =>
      ask(own.url, `/api/${everything[n >> 1]}`, { from: '127.0.0.1', token: ana.token }),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
    expect((await ask(own.url, details, { from: '127.0.0.1', token: ben.token })).status).toBe(200)
  })

  it('One person’s requests to one endpoint are refused, and their others aren’t.', async () => {
    const tenth = await strict(0.1)
    try {
      const cleo = await person(app)
      const own = (path: string) => ask(tenth.url, path, { from: '127.0.0.1', token: cleo.token })
      const answers = await many(25, () => own('/api/user/sessions'))
      expect(answers.filter(({ status }) => status === 429).every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(
        true,
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
      expect((await own(details)).status).toBe(200)
      expect((await ask(tenth.url, '/api/user/sessions', { from: '127.0.0.1', token: ben.token })).status).toBe(200)
    } finally {
      await tenth.close()
    }
  })

  it('Strangers’ requests use up their network’s budget, but not that of signed-in people behind it.', async () => {
    const stranger = (n: number) => ({ from: '127.0.0.5', token: `dt1_made-up-${n}` })
    const statuses = (await many(200, (n) => ask(own.url, details, stranger(n)))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect((await ask(own.url, details, { from: '127.0.0.5', token: ben.token })).status).toBe(200)
    expect((await ask(own.url, details, { from: '127.0.0.6', token: 'dt1_x' })).status).toBe(401)
  })
})

describe('connections', () => {
  it('Connections that never sign in use up their network’s share, not everyone’s.', { tags: 'long' }, async () => {
    const own = await strict()
    try {
      const path = '/socket.io/?EIO=4&transport=polling'
      const statuses = await many(40, () => ask(own.url, path, { from: '127.0.0.2' }))
      // A network may make five requests immediately and one every two seconds; all networks together, twenty and ten a
      // second.
      expect(statuses.filter(({ status }) => status === 200).length).toBeLessThan(20)
      // These requests are refunded to the network once a person has signed in.
      for (const { token } of await people(app, 12)) {
        const wire = await openWire(own.url, token)
        expect(wire.isOpen()).toBe(true)
        wire.close()
      }
    } finally {
      await own.close()
    }
  })

  it('One person’s endlessly reconnecting connections are refused, and others’ aren’t.', async () => {
    const own = await strict(0.1)
    try {
      const opened = []
      for (let n = 0; n < 12; n++) opened.push(await openWire(own.url, ana.token).catch(() => undefined))
      expect(opened.filter((wire) => wire !== undefined).length).toBeGreaterThan(0)
      expect(opened).toContain(undefined)
      const other = await openWire(own.url, ben.token)
      expect(other.isOpen()).toBe(true)
      for (const wire of [...opened, other]) wire?.close()
    } finally {
      await own.close()
    }
  })

  it('Connections that repeat one request endlessly have to wait for that one only.', async () => {
    const own = await strict(0.25)
    try {
      const wires = []
      for (let n = 0; n < 5; n++) wires.push(await openWire(own.url, ana.token))
      const asked = { conversationId: ben.id, upToSeq: 1 }
      const asking = wires
        .slice(1)
        .flatMap((wire) => Array.from({ length: 14 }, () => wire.ask('mark_as_delivered', asked)))
      const codes = (await Promise.all(asking)).map((ack) => (ack as { code?: string }).code)
      expect(codes).toContain('rate_limited')
      expect(await wires[0]?.ask('get_conversations')).toMatchObject({ ok: true })
      for (const wire of wires) wire.close()
    } finally {
      await own.close()
    }
  })
  it('Connections that wait as long as told are never cut off, however much they ask.', { tags: 'long' }, async () => {
    const own = await strict(0.1)
    try {
      const wire = await openWire(own.url, ana.token)
      let served = 0
      while (served < 40) {
        const ack = (await wire.ask('looking', { looking: true })) as { ok: boolean; retryAfterMs?: number }
        expect(wire.isOpen()).toBe(true)
        if (ack.ok) served += 1
        else await sleep(ack.retryAfterMs)
      }
      wire.close()
    } finally {
      await own.close()
    }
  })
})
