import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'
import { hitsAmong } from './search.ts'

let app: TestApp
let ana: Person
let ben: Person
let cem: Person
beforeAll(async () => {
  app = await startTestApp()
  ;[ana, ben, cem] = (await people(app, 3)) as [Person, Person, Person]
})
afterAll(() => app.close())

async function say(from: Person, to: Person, ...texts: string[]): Promise<void> {
  const socket = await connect(app, from)
  for (const text of texts) await socket.ask('send_message', outgoing(from, to, text))
  socket.socket.disconnect()
}

const search = async (me: Person, query: string, more: { with?: string; cursor?: string; limit?: number } = {}) =>
  (await me.call('GET /api/messages/search', { query: { query, ...more } })).body
const texts = async (...asked: Parameters<typeof search>) =>
  (await search(...asked)).hits.map(({ message }) => message.message)

async function asOwner(): Promise<pg.Client> {
  const client = new pg.Client(ownerOf(app.platform))
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

it('other requests get turns during a slow search', async () => {
  let [turns, isOver] = [0, false]
  const take = () => {
    turns += 1
    if (!isOver) setImmediate(take)
  }
  setImmediate(take)
  const rows = Array.from({ length: 400 }, () => ({ body: 'ﷺ'.repeat(2_000) }))
  expect(await hitsAmong([...rows, { body: 'Marzipán' }], 'marzipan', 20)).toEqual({
    hits: [{ body: 'Marzipán' }],
    isFull: false,
  })
  isOver = true
  expect(turns).toBeGreaterThan(1)
})

describe('searching', () => {
  it('a search finds words in all my conversations, newest first, with the person', async () => {
    await say(ana, ben, 'A walk by the canal?')
    await say(cem, ana, 'The canal is frozen')
    await say(ben, ana, 'Nothing about it')
    const { hits, nextCursor } = await search(ana, 'canal')
    expect(hits.map(({ user, message }) => [user.id, message.message, message.seq])).toEqual([
      [cem.id, 'The canal is frozen', 1],
      [ben.id, 'A walk by the canal?', 1],
    ])
    expect(nextCursor).toBeNull()
    expect(await texts(ana, 'canal', { with: ben.id })).toEqual(['A walk by the canal?'])
  })

  it('a search ignores case and accents in both directions', async () => {
    await say(ana, ben, 'Un CAFÉ olé', 'senor')
    expect(await texts(ana, 'cafe')).toEqual(['Un CAFÉ olé'])
    expect(await texts(ana, 'Señor')).toEqual(['senor'])
  })

  it.each([
    ['ΟΔΟΣ ΑΘΗΝΑΣ', 'οδός'],
    ['στην οδό', 'ΣΤΗΝ ΟΔΟ'],
    ['die Straße', 'STRASSE'],
    ['ışık', 'IŞIK'],
    ['ﬁnal ofﬁce', 'final'],
    ['aus Łódź', 'lodz'],
    ['أحمد هنا', 'احمد'],
    ['مُحَمَّد', 'محمد'],
    ['ＨＥＬＬＯ', 'hello'],
    ['I ❤ you', '❤️'],
    ['Привет', 'ПРИВЕТ'],
  ])('the text %s is found with the query %s', async (text, query) => {
    await say(ana, ben, text)
    expect(await texts(ana, query)).toContain(text)
  })

  it('a query of accents alone finds nothing', async () => {
    await say(ana, ben, 'Anything')
    expect(await search(ana, '\u0301\u0301')).toEqual({ hits: [], nextCursor: null })
  })

  it('a search takes punctuation literally', async () => {
    await say(ana, ben, '100 % sure_thing \\o/', 'percent')
    for (const query of ['0 %', 'e_t', '\\o', '%%', '__', "'; drop"]) {
      const found = await texts(ana, query)
      expect([query, found]).toEqual([query, '100 % sure_thing \\o/'.includes(query) ? ['100 % sure_thing \\o/'] : []])
    }
  })

  it('a search continues where a page ended', async () => {
    await say(ana, cem, ...Array.from({ length: 7 }, (_, n) => `lantern ${n}`))
    const found: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await search(ana, 'lantern', { limit: 3, ...(cursor && { cursor }) })
      found.push(...page.hits.map(({ message }) => message.message))
      cursor = page.nextCursor
    } while (cursor)
    expect(found).toEqual(Array.from({ length: 7 }, (_, n) => `lantern ${6 - n}`))
  })

  it("a search doesn't find other people's messages or deleted, removed and blocked ones", async () => {
    const [dan, eve, fay] = (await people(app, 3)) as [Person, Person, Person]
    await say(dan, eve, 'zeppelin one', 'zeppelin two')
    await say(fay, eve, 'zeppelin three')
    expect(await texts(ana, 'zeppelin')).toEqual([])
    expect(await texts(ana, 'zeppelin', { with: dan.id })).toEqual([])
    expect(await texts(eve, 'zeppelin')).toEqual(['zeppelin three', 'zeppelin two', 'zeppelin one'])
    await dan.call('DELETE /api/conversations/:userId/messages/:seq', { params: { userId: eve.id, seq: 2 } })
    expect(await texts(eve, 'zeppelin')).toEqual(['zeppelin three', 'zeppelin one'])
    await fay.call('PUT /api/blocks/:userId', { params: { userId: eve.id } })
    expect(await texts(eve, 'zeppelin')).toEqual(['zeppelin one'])
    await eve.call('DELETE /api/conversations/:userId', { params: { userId: dan.id } })
    expect(await texts(eve, 'zeppelin')).toEqual([])
  })

  it('a search continues with the cursor after a part without hits', { tags: 'long' }, async () => {
    const [dan, eve] = (await people(app, 2)) as [Person, Person]
    await say(dan, eve, 'The first word: marzipan', 'Marzipán!')
    await app.platform.pool.query(
      `insert into messages (conversation_id, seq, revision, sender_id, client_id, body, sent_at, created_at)
        select conversation_id($1, $2), n, n, $1, n::text, 'Nothing of it', now(), now() + n * interval '1 ms'
        from generate_series(3, 10003) n`,
      [dan.id, eve.id],
    )
    await app.platform.pool.query(
      `update conversations set last_seq = 10003, revision = 10003 where id = conversation_id($1, $2)`,
      [dan.id, eve.id],
    )
    const pages: string[][] = []
    let cursor: string | null | undefined
    do {
      const page = await search(eve, 'MARZIPAN', { ...(cursor && { cursor }) })
      pages.push(page.hits.map(({ message }) => message.message))
      cursor = page.nextCursor
    } while (cursor)
    expect(pages).toEqual([[], [], ['Marzipán!', 'The first word: marzipan']])
  })

  it('a search matches the current text of edited and deleted messages', async () => {
    const [dan, eve] = (await people(app, 2)) as [Person, Person]
    await say(dan, eve, 'Überraschung')
    const at = { params: { userId: eve.id, seq: 1 } }
    await dan.call('PATCH /api/conversations/:userId/messages/:seq', { ...at, body: { message: 'Vergißmeinnicht' } })
    expect([await texts(eve, 'uberrasch'), await texts(eve, 'VERGIß')]).toEqual([[], ['Vergißmeinnicht']])
    await dan.call('DELETE /api/conversations/:userId/messages/:seq', at)
    expect(await texts(eve, 'VERGIß')).toEqual([])
    const { rows } = await app.platform.pool.query('select plain from messages where sender_id = $1', [dan.id])
    expect(rows).toEqual([{ plain: null }])
  })

  it('searches of one person query the database one at a time and fail with a clear error if it is slow', {
    tags: 'long',
  }, async () => {
    const [dan, eve] = (await people(app, 2)) as [Person, Person]
    await say(dan, eve, 'zircon')
    const [holder, watcher] = [await asOwner(), await asOwner()]
    await holder.query('begin; lock table messages in access exclusive mode')
    const searches = async () => {
      const { rows } = await watcher.query(
        `select count(*)::int as count from pg_stat_activity
          where datname = current_database() and query like '%with looked%' and wait_event_type = 'Lock'`,
      )
      return rows[0].count
    }
    const ask = () => eve.call('GET /api/messages/search', { query: { query: 'zircon' } })
    const [first, ...others] = [ask(), ask(), ask(), ask()]
    await expect.poll(searches).toBeGreaterThan(0)
    // This request was sent later, so once it is answered the earlier ones have been accepted.
    expect((await dan.call('GET /api/user/myDetails')).status).toBe(200)
    expect(await searches()).toBeLessThanOrEqual(1)
    const { status, body } = await first!
    await holder.query('commit')
    expect([status, body.code, body.detail]).toEqual([503, 'unavailable', expect.stringMatching(/took too long/)])
    for (const answer of await Promise.all(others)) expect([200, 503]).toContain(answer.status)
    expect(await texts(eve, 'zircon')).toEqual(['zircon'])
  })

  it('a person can search 20 times a minute', { tags: 'long' }, async () => {
    const limited = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    try {
      const eve = await person(limited)
      const ask = () => eve.call('GET /api/messages/search', { query: { query: 'zircon' } })
      for (let count = 0; count < 20; count++) expect((await ask()).status).toBe(200)
      expect(await ask()).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    } finally {
      await limited.close()
    }
  })

  it.each([
    { query: 'x' },
    { query: ' x ' },
    { query: 'x'.repeat(101) },
    { query: 'ok', cursor: 'made.up' },
    { query: 'ok', limit: 51 },
  ])('the search %j is refused', async (query) => {
    const { status, body } = await ana.call('GET /api/messages/search', { query })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
  })
})
