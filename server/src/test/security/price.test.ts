import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { type NodeProcess, startNodeProcess } from '../nodes.ts'
import { type Cast, gather } from './authorization/cast.ts'
import { noteFigure } from './figures.ts'
import { type Call, callsAMinute, findCall } from './price/calls.ts'
import { type Dearest, dearestCalls } from './price/dearest.ts'
import { type Meter, meterOf } from './price/meter.ts'
import { makePopular, mostPixelPhoto, pileUp } from './price/piled-up.ts'
import { answerTo } from './requests.ts'
import { type Rows, rowsOf } from './rows.ts'
import { openWire, type Wire } from './wire.ts'

/** Milliseconds after a response during which further work counts toward it. */
const settleMs = 20
const most = 24
/** CPU seconds in half a second; an idle server uses less than this. */
const busy = 0.02

describe('the cost of the most expensive calls', { tags: 'release' }, () => {
  let database: TestDatabase
  let app: TestApp
  let node: NodeProcess
  let rows: Rows
  let cast: Cast
  let meter: Meter
  let calls: Record<string, (n: number) => Dearest>
  /** CPU seconds per second that the server uses when idle. */
  let idle = 0

  beforeAll(async () => {
    database = await createTestDatabase()
    app = await startTestApp({ LOG_LEVEL: 'fatal' }, { database })
    rows = await rowsOf(app)
    cast = await gather(app, rows)
    const [member, other] = [cast.people.member.who, cast.people.other.who]
    await pileUp(database, rows, { member: member.id, other: other.id })
    const passed = await rows.query(
      `select target_id as id from decisions where actor_id = $1 and decision = 'pass'
        and target_id not in (select blocked_id from blocks)`,
      [member.id],
    )
    const { body: page } = await member.call('GET /api/user/:id', { params: { id: other.id } })
    const addressOfPhoto =
      new URL(page.photos[0]?.url ?? '', app.url).pathname + new URL(page.photos[0]?.url ?? '', app.url).search
    const crowd = await around()
    await makePopular(rows, crowd)
    // The measurements may take longer than a sign-in counts as fresh.
    await rows.query("update sessions set authenticated_at = now() + interval '1 day'")
    await rows.keep()
    node = await startNodeProcess({ database, dataDir: app.platform.config.dataDir })
    meter = meterOf(node.child.pid as number, rows)
    calls = dearestCalls({
      cast,
      photo: await mostPixelPhoto(),
      url: node.url,
      addressOfPhoto,
      crowd,
      passed: passed.map(({ id }) => String(id)),
      refreshDecisions: () => rows.query('update decisions set decided_at = now() where actor_id = $1', [member.id]),
    })
    const [before, since] = [await meter.read(), performance.now()]
    await sleep(5_000)
    idle = ((await meter.read()) - before) / ((performance.now() - since) / 1_000)
  })
  afterAll(async () => {
    node.child.kill('SIGTERM')
    await node.exited
    await rows.close()
    await app.close()
    await database.drop()
  })

  async function around(): Promise<string[]> {
    const found: string[] = []
    for (let cursor: string | null | undefined; cursor !== null && found.length < 100; ) {
      const query = { limit: 50, ...(cursor && { cursor }) }
      const { body } = await cast.people.member.who.call('GET /api/user/nearBy', { query })
      found.push(...body.users.map(({ id }) => id))
      cursor = body.nextCursor
    }
    return found
  }

  async function make(name: string, { role, parts, payload, act }: Call & Dearest, wire?: Wire): Promise<string> {
    if (act) return act()
    const [method = '', path] = name.split(' ')
    if (path) return (await answerTo(node.url, { method, path, token: cast.tokens[role], ...parts })).outcome
    const ack = (await wire?.ask(name, payload)) as { code?: string; error?: { code: string } } | undefined
    return ack?.code ?? ack?.error?.code ?? 'ok'
  }

  /** Measures one call: the CPU seconds of the server and its database, and the outcome. */
  async function measure(name: string, call: Call & Dearest, wire?: Wire) {
    await call.before?.()
    const [before, since] = [await meter.read(), performance.now()]
    const outcome = await make(name, call, wire)
    await sleep(settleMs)
    const used = (await meter.read()) - before - (idle * (performance.now() - since)) / 1_000
    const isAnswered = call.answered ? outcome === call.answered : /^(2|ok)/.test(outcome)
    return { used: isAnswered ? Math.max(0, used) : undefined, outcome }
  }

  /** CPU seconds used until the server is idle again, such as for queued jobs. */
  async function afterwards(): Promise<number> {
    const [before, since] = [await meter.read(), performance.now()]
    for (let [last, now] = [Number.NEGATIVE_INFINITY, before]; now - last > busy; last = now, now = await meter.read())
      await sleep(500)
    return Math.max(0, (await meter.read()) - before - (idle * (performance.now() - since)) / 1_000)
  }

  /** Repeats the call often enough, restoring the rows of calls that can't be repeated. Throws if it never succeeds. */
  async function priceOf(name: string): Promise<{ role: Call['role']; seconds: number; counted: number }> {
    const found = findCall(cast, name) ?? { role: 'member', caller: 'member', parts: {}, payload: undefined }
    const wire = name.includes(' ') ? undefined : await openWire(node.url, cast.tokens.member)
    const used: number[] = []
    let role: Call['role'] = found.role
    let counted = 1
    for (let [n, isFresh] = [0, true]; n < most; n++) {
      const call = { ...found, ...calls[name]?.(n) }
      ;[role, counted] = [call.role, call.counted ?? 1]
      const { used: seconds, outcome } = await measure(name, call, wire)
      if (seconds === undefined && isFresh) throw new Error(`${name} was answered ${outcome}`)
      if (seconds === undefined) await rows.restore()
      else used.push(seconds)
      isFresh = seconds === undefined
    }
    wire?.close()
    const left = (await afterwards()) / used.length
    if (!name.startsWith('GET')) await rows.restore()
    // Skips the first calls, which cost more because statements are planned and code is compiled.
    const warm = used.slice(used.length >> 2)
    return { role, counted, seconds: left + warm.reduce((sum, one) => sum + one, 0) / warm.length }
  }

  it('The cost of the most expensive calls, times how often they are allowed, is known.', async () => {
    const wrong: string[] = []
    const prices: { name: string; secondsAMinute: number; isSignedIn: boolean }[] = []
    for (const name of Object.keys(calls)) {
      try {
        const { role, seconds, counted } = await priceOf(name)
        const isSignedIn = role !== 'anonymous'
        const often = (calls[name]?.(0).callsAMinute ?? callsAMinute(name, isSignedIn)) / counted
        prices.push({ name, secondsAMinute: Number((seconds * often).toFixed(2)), isSignedIn })
      } catch (error) {
        wrong.push(String(error))
      }
    }
    expect(wrong).toEqual([])
    prices.sort((one, other) => other.secondsAMinute - one.secondsAMinute)
    for (const { name, secondsAMinute } of prices) console.info(`${secondsAMinute.toFixed(2)} s a minute: ${name}`)
    for (const [id, ofWhom] of [
      ['R11.worst_cpu_s_per_minute', 'one account'],
      ['R11.network_cpu_s_per_minute', 'a network without an account'],
    ] as const) {
      const worst = prices.find(({ isSignedIn }) => isSignedIn === (ofWhom === 'one account'))
      noteFigure(id, worst?.secondsAMinute ?? Number.NaN, `of ${ofWhom}, in the long run: ${worst?.name}`)
    }
  })
})
