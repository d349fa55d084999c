import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isQuick } from '../../../../tools/size.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { type Person, person } from '../people.ts'
import { statusesIn, talkRaw } from './raw.ts'

let app: TestApp
let ana: Person
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'silent' })
  ana = await person(app)
})
afterAll(() => app.close())

describe('a connection to the database', () => {
  it.each([
    ['statement_timeout', '5s'],
    ['lock_timeout', '2s'],
    ['idle_in_transaction_session_timeout', '10s'],
    ['timezone', 'UTC'],
    ['role', 'duet_app'],
  ])('has its %s', async (name, value) => {
    const { rows } = await app.platform.pool.query(`show ${name}`)
    expect(Object.values(rows[0])).toEqual([value])
  })

  it.skipIf(isQuick)('that takes too long is let go of, and whoever waits for it is told so', async () => {
    const { query } = app.platform.pool
    const ask = query.bind(app.platform.pool) as unknown as (text: string) => Promise<unknown>
    app.platform.pool.query = (() => ask('select pg_sleep(8)')) as never
    app.platform.sessions.forget('')
    const { status, body } = await ana.call('GET /api/user/myDetails')
    app.platform.pool.query = query
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect((await ana.call('GET /api/user/myDetails')).status).toBe(200)
  })
})

describe('a connection to the server', () => {
  it.skipIf(isQuick)('carries a thousand requests at most', async () => {
    const one = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    const heard = await talkRaw(app.url, one.repeat(1_020))
    const served = statusesIn(heard).filter((status) => status === 200)
    expect(served).toHaveLength(1_000)
  })
})
