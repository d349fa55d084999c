import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportBeside } from '../../../tools/report.ts'
import { migrate } from '../platform/database/database.ts'
import { startTestApp, type TestApp } from './app.ts'
import { type Person, person } from './people.ts'
import { countOf } from './plan-keys.ts'
import { has } from './programs.ts'
import { type Client, connect } from './sockets.ts'
import { outgoing } from './talk.ts'
import { startWatchedPostgres, type Watched, type WatchedPostgres } from './watched-postgres.ts'

/** As many as Citus makes of a table where it is not told otherwise (citus.shard_count). */
const shards = 32
const talking = 10
const targets = { send: 1, read: 1, edit: 1, list: 2, decide: 2, deck: 3 }

describe.skipIf(!has('pg_ctlcluster'))('if people and conversations were spread over machines by their ids', () => {
  let postgres: WatchedPostgres
  let app: TestApp
  let ana: Person
  let others: Person[]
  beforeAll(async () => {
    postgres = await startWatchedPostgres()
    await migrate(postgres.config)
    app = await startTestApp({}, { database: { config: postgres.config }, login: () => undefined })
    await postgres.open()
    const at = { latitude: 41.39, longitude: 2.17 }
    ana = await person(app, { gender: 'woman', at })
    others = []
    for (let nth = 0; nth < talking + 15; nth++) others.push(await person(app, { gender: 'man', at }))
  })
  afterAll(async () => {
    await app?.close()
    await postgres?.stop()
  })

  /** The statements of `act` and of what follows it. Whose session a request has is asked beside it, by its token. */
  async function watch(act: () => Promise<unknown>): Promise<Watched[]> {
    const statements = await postgres.watch(async () => {
      await act()
      await sleep(500)
    })
    return statements.filter(({ text }) => !/\bsessions\b/.test(text))
  }
  /** Waits until nothing follows any more from what was done before. */
  async function settle(): Promise<void> {
    while ((await watch(() => sleep(500))).length > 0);
  }
  async function count(acts: Record<string, () => Promise<unknown>>): Promise<Record<string, Watched[]>> {
    const counted: Record<string, Watched[]> = {}
    for (const [name, act] of Object.entries(acts)) {
      await settle()
      counted[name] = await watch(act)
    }
    return counted
  }
  const mostOf = (statements: readonly Watched[] = []) =>
    Math.max(...statements.map(({ keys }) => countOf(keys, shards)))
  const everywhere = (statements: readonly Watched[] = []) => statements.flatMap(({ keys }) => [...keys.everywhere])

  /** What a person does all the time. Ana talks with ten people. */
  async function acts() {
    const live = await connect(app, ana)
    const say = async (from: Client, sender: Person, receiver: Person) =>
      expect(await from.ask('send_message', outgoing(sender, receiver))).toMatchObject({ ok: true })
    for (const ben of others.slice(0, talking)) {
      const back = await connect(app, ben)
      await say(live, ana, ben)
      await say(back, ben, ana)
      await say(live, ana, ben)
    }
    const [ben, cem] = [others[0], others[talking]] as [Person, Person]
    const bens = await connect(app, ben)
    const send = async (...request: Parameters<Person['send']>) =>
      expect(await ana.send(...request)).toMatchObject({ status: 200 })
    return {
      send: () => say(live, ana, ben),
      read: async () =>
        expect(await bens.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })).toEqual({ ok: true }),
      edit: () => send('PATCH', `/api/conversations/${ben.id}/messages/3`, { message: 'Good morning' }),
      list: () => send('GET', '/api/messages/history'),
      decide: () => send('PUT', `/api/decisions/${cem.id}`, { decision: 'like' }),
      deck: () => send('GET', '/api/deck'),
    }
  }

  function report(counted: Record<string, Watched[]>): void {
    const figures = Object.entries(targets).map(([name, target]) => {
      const statements = counted[name] ?? []
      for (const { text, keys } of statements)
        process.stdout.write(
          `  ${name} ${countOf(keys, shards)} ${[...keys.everywhere].join(', ')}: ${text.slice(0, 90)}\n`,
        )
      const tables = [...new Set(everywhere(statements))]
      const asked = tables.length > 0 ? `; ${tables.join(' and ')} everywhere, which counts as ${shards}` : ''
      const note = `most keys that one of its ${statements.length} statements touches, with ${talking} conversations${asked}`
      return { id: `S1.${name}`, value: mostOf(statements), target: `<= ${target}`, note }
    })
    reportBeside('scale', figures)
  }

  it('what is asked all the time is asked of the machines of the people and conversations that it is about', {
    tags: 'long',
  }, async () => {
    const counted = await count(await acts())
    if (process.env.REPORT_KEYS) report(counted)
    const most = Object.fromEntries(Object.entries(counted).map(([name, statements]) => [name, mostOf(statements)]))
    expect(most).toMatchObject({ send: 1, read: 1, edit: 1, decide: 2 })
    expect(everywhere(counted.list)).toEqual([])
    // One's own key, and of each conversation its own and that of the other one in it; of some it is not known that they
    // are the same.
    expect(most.list).toBeLessThanOrEqual(1 + 4 * talking)
  })

  it('what is looked up by another column is asked everywhere, and a list of ids of the machines of each', {
    tags: 'long',
  }, async () => {
    const client = new pg.Client(postgres.config)
    await client.connect()
    try {
      const ids = others
        .slice(-2)
        .map(({ id }) => id)
        .sort()
      const counted = await count({
        pair: () => client.query('select from conversations where user_lo = $1 and user_hi = $2', ids),
        list: () => client.query('select from profiles where user_id = any($1::uuid[])', [ids]),
        join: () => client.query('select from unnest($1::uuid[]) as given (id) join profiles on user_id = id', [ids]),
        insert: () =>
          client.query('insert into like_days select id, now(), now() from unnest($1::uuid[]) as given (id)', [ids]),
      })
      expect(everywhere(counted.pair)).toEqual(['conversations'])
      expect([counted.list, counted.join].map(mostOf)).toEqual([2, 2])
      // Those that are added, and those that their foreign keys look up, which are the same: found out only once they are.
      expect(mostOf(counted.insert)).toBe(4)
    } finally {
      await client.end()
    }
  })
})
