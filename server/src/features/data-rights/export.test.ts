import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import yauzl from 'yauzl'
import { days, hours, minutes } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { addPhoto, addVoice, jpeg } from '../../test/attachments.ts'
import { withBadRow } from '../../test/bad-row.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { standstillMs } from '../../test/standstill.ts'
import { outgoing } from '../../test/talk.ts'
import type { Erasing } from './erasure.ts'
import { eraseAccount } from './erasure.ts'
import type { Making } from './export.ts'
import { makeExport, sweepExports } from './export.ts'
import { registry } from './registry.ts'

let app: TestApp
let owner: Pools
const making = (): Making & Erasing => ({ ...app.platform, db: owner.db })

beforeAll(async () => {
  app = await startTestApp()
  owner = connectOwner(ownerOf(app.platform), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error)
      const files = new Map<string, Buffer>()
      zip.on('entry', (entry: yauzl.Entry) => {
        zip.openReadStream(entry, async (failed, stream) => {
          if (failed) return reject(failed)
          const pieces: Buffer[] = []
          for await (const piece of stream) pieces.push(piece as Buffer)
          files.set(entry.fileName, Buffer.concat(pieces))
          zip.readEntry()
        })
      })
      zip.on('end', () => resolve(files))
      zip.on('error', reject)
      zip.readEntry()
    })
  })
}

const ask = (who: Person, language: 'en' | 'es' | 'ar' = 'en') => who.call('POST /api/export', { body: { language } })
const told = async (who: Person) => (await who.call('GET /api/export')).body

async function ready(who: Person): Promise<string> {
  for (const until = Date.now() + standstillMs; Date.now() < until; ) {
    const { state, url } = await told(who)
    if (state === 'ready' && url) return url
    if (state === 'failed') throw new Error('the export failed')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the export was never ready')
}

const isTold = async (who: Person) =>
  (await who.call('GET /api/notifications')).body.notifications.some(({ kind }) => kind === 'export_ready')

async function fetched(who: Person): Promise<Map<string, Buffer>> {
  const answer = await fetch(app.url + (await ready(who)))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  return unzip(bytes)
}

const script = '<script>alert("x")</script>'

let eves = 1

async function addOwnPhoto(who: Person): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await jpeg())]), 'a.jpg')
  await who.call('PATCH /api/user/:userId/image', { params: { userId: who.id }, form })
}

async function live() {
  const at = { latitude: 48.2, longitude: 16.37 }
  const bio = `I write ${script} & "quotes"`
  const ana = await person(app, {
    name: 'Ana',
    at,
    bio,
    gender: 'woman',
    interests: ['ceramics'],
  })
  const ben = await person(app, { name: 'Ben', at, gender: 'man' })
  const eve = await person(app, { name: `Evelyn ${eves++}`, at })
  await addOwnPhoto(ana)
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
    [eve, ana],
  ] as const)
    await one.call('PUT /api/decisions/:userId', { params: { userId: other.id }, body: { decision: 'like' } })
  await ana.call('GET /api/deck')
  const answer = { choice: 'early', accepts: ['early'], importance: 'very' as const }
  await ana.send('PUT', '/api/questions/day_rhythm/answer', answer)
  const lines = { ana: await connect(app, ana), ben: await connect(app, ben), eve: await connect(app, eve) }
  await lines.ana.ask('send_message', outgoing(ana, ben, `Hello ${script}`))
  await lines.ana.ask('send_message', outgoing(ana, ben, '', { attachmentId: (await addPhoto(ana, ben)).id }))
  await lines.ana.ask('send_message', outgoing(ana, ben, '', { attachmentId: (await addVoice(ana, ben)).id }))
  await lines.ben.ask('send_message', outgoing(ben, ana, 'Hello Ana'))
  await lines.ben.ask('send_message', outgoing(ben, ana, '', { attachmentId: (await addPhoto(ben, ana)).id }))
  await lines.eve.ask('send_message', outgoing(eve, ana, 'You again'))
  await lines.ben.ask('send_message', outgoing(ben, eve, 'Between Ben and Evelyn'))
  await eve.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
  const report = { userId: ben.id, subject: { kind: 'profile' }, reason: 'spam', details: 'Sells things', block: false }
  await ana.send('POST', '/api/reports', report)
  return { ana, ben, eve }
}

const inJson = (value: unknown) => JSON.parse(JSON.stringify(value ?? null))
const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()

describe('an export', () => {
  it('an export contains what the database contains, for each entry of the registry, and all files', {
    tags: 'long',
  }, async () => {
    const { ana, eve } = await live()
    expect((await ask(ana)).status).toBe(202)
    const files = await fetched(ana)
    const data = JSON.parse(String(files.get('data.json'))) as Record<string, Record<string, unknown>[]>
    const mine = await conversationsOf(ana.id)
    const withEve = await conversationsOf(eve.id)
    // Evelyn blocks Ana, so the export must contain nothing about Evelyn.
    const isAboutEve = (row: Record<string, unknown>) =>
      withEve.has(String(row.conversation_id)) || JSON.stringify(row).includes(eve.id)
    let compared = 0
    for (const [table, { exports }] of Object.entries(registry)) {
      if ('nothing' in exports) continue
      for (const part of [exports].flat()) {
        // Doesn't use the registry's conditions, because those are under test.
        const { rows } = await owner.pool.query<Record<string, unknown>>(`select * from ${table}`)
        const isOwn = (row: Record<string, unknown>) => {
          if (part.as === 'messagesReceived') return row.sender_id !== ana.id && mine.has(String(row.conversation_id))
          if (part.as === 'likesReceived') return row.target_id === ana.id && row.decision === 'like'
          if (part.as === 'matches') return [row.user_lo, row.user_hi].includes(ana.id)
          if (part.as === 'conversations') return row.user_id === ana.id && row.listed === true
          // These notifications are created only after the export is written.
          if (row.kind === 'export_ready') return false
          if (part.as === 'learned') return row.user_id === ana.id && Number(row.made) > 0
          if ('where' in part.own) return row.user_id === ana.id
          return part.own.some((name) => row[name] === ana.id)
        }
        const expected = rows
          .filter((row) => isOwn(row) && !isAboutEve(row))
          .map((row) => Object.fromEntries(part.columns.map((name) => [camelCase(name), inJson(row[name])])))
        const found = (data[part.as] ?? []).map(({ with: _, ...row }) => {
          for (const name of Object.keys(part.more ?? {})) delete row[name]
          return row
        })
        if (part.as === 'answers')
          expect(found).toEqual([{ answers: [expect.objectContaining({ question: 'day_rhythm' })] }])
        else if (part.as === 'sessions') expect(found).toHaveLength(expected.length)
        else expect(sorted(found), part.as).toEqual(sorted(expected))
        compared += expected.length
      }
    }
    expect(compared).toBeGreaterThan(20)
    const names = [...files.keys()]
    expect(names.filter((name) => name.startsWith('photos/'))).toHaveLength(1)
    expect(names.filter((name) => name.startsWith('messages/'))).toHaveLength(2)
    for (const name of names) expect(files.get(name)?.length).toBeGreaterThan(0)
  })

  it('an export names others and includes what they wrote, but nothing about people who are out of sight', {
    tags: 'long',
  }, async () => {
    const { ana, ben, eve } = await live()
    await ask(ana)
    const files = await fetched(ana)
    const all = [...files]
      .filter(([name]) => !/^(photos|messages)\//.test(name))
      .map(([, bytes]) => String(bytes))
      .join()
    for (const secret of [ben.id, eve.id, ben.email, eve.email, ana.token]) expect(all).not.toContain(secret)
    expect(all).not.toContain('Between Ben and Evelyn')
    expect(all).toContain('Hello Ana')
    const data = JSON.parse(String(files.get('data.json')))
    expect(data.matches[0].with).toBe('Ben')
    for (const trace of [eve.name, 'You again']) expect(all).not.toContain(trace)
  })

  it('an export keeps messages with someone the person has blocked', { tags: 'long' }, async () => {
    const { ana, ben } = await live()
    await ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })
    await ask(ana)
    const data = JSON.parse(String((await fetched(ana)).get('data.json')))
    expect(data.blocks).toMatchObject([{ with: 'Ben' }])
    expect(data.messagesReceived).toMatchObject([{ body: 'Hello Ana', with: 'Ben' }, { body: '' }])
  })

  it('an export has a readable page without scripts, in the requested language', { tags: 'long' }, async () => {
    const { ana } = await live()
    await ask(ana, 'ar')
    const page = String((await fetched(ana)).get('index.html'))
    expect(page).toContain('<html lang="ar" dir="rtl">')
    expect(page).toContain('بياناتك في Duet')
    expect(page).not.toContain('<script')
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;')
  })
})

describe('asking for an export', () => {
  it('a person sees the export that is being made, and nobody else can download it', async () => {
    const ana = await person(app)
    const ben = await person(app)
    expect(await told(ana)).toMatchObject({ state: 'none', url: null })
    await ask(ana)
    const url = await ready(ana)
    expect((await fetch(app.url + url.replace(ana.id, ben.id))).status).toBe(403)
    expect(
      (
        await fetch(
          app.url + url.replace(/signature=./, (first) => (first.endsWith('_') ? 'signature=Y' : 'signature=_')),
        )
      ).status,
    ).toBe(403)
    expect((await fetch(app.url + url.replace(/exports\/./, 'exports/~'))).status).toBe(404)
    app.clock.advance(days(1) + hours(1))
    expect((await fetch(app.url + url)).status).toBe(403)
    expect(await told(ana)).toMatchObject({ state: 'none', url: null })
  })

  it('the download URL is given only to someone who has just proved who they are, and works for ten minutes', async () => {
    const ana = await person(app)
    await ask(ana)
    const url = await ready(ana)
    expect((await fetch(app.url + url)).status).toBe(200)
    app.clock.advance(minutes(10) + 1_000)
    expect(await told(ana)).toMatchObject({ state: 'ready', url: null })
    expect((await fetch(app.url + url)).status).toBe(403)
    await ana.call('POST /api/user/requestOtp', { body: { email: ana.email } })
    const body = { email: ana.email, otp: await app.codeFor(ana.email) }
    const { body: phone } = await caller(app.url).call('POST /api/user/authenticate', { body })
    const fromPhone = (await caller(app.url, phone.token).call('GET /api/export')).body.url ?? ''
    expect((await fetch(app.url + fromPhone)).status).toBe(200)
    expect(await told(ana)).toMatchObject({ state: 'ready', url: null })
  })

  it('a download URL stops working when the session it was given to ends', async () => {
    const ana = await person(app)
    await ask(ana)
    const url = await ready(ana)
    app.clock.advance(31_000)
    await ana.call('POST /api/user/requestOtp', { body: { email: ana.email } })
    const body = { email: ana.email, otp: await app.codeFor(ana.email) }
    await caller(app.url).call('POST /api/user/authenticate', { body })
    await ana.call('POST /api/user/signOut')
    expect((await fetch(app.url + url)).status).toBe(404)
  })

  it('an export needs a sign-in within the last ten minutes', async () => {
    const ana = await person(app)
    app.clock.advance(hours(1))
    const { status, body } = await ask(ana)
    expect([status, body.code]).toEqual([403, 'reauthentication_required'])
    expect(await told(ana)).toMatchObject({ state: 'none' })
  })

  it('a person can request one export a day', { tags: 'long' }, async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    const ana = await person(strict)
    expect((await ask(ana)).status).toBe(202)
    await expect.poll(async () => (await told(ana)).state).not.toBe('working')
    expect((await ask(ana)).status).toBe(429)
    await strict.close()
  })

  it("a failed export doesn't count towards the limit, and leaves nothing behind", async () => {
    const ana = await person(app)
    await owner.db
      .insertInto('data_exports')
      .values({ user_id: ana.id, state: 'working', language: 'en', asked_at: app.clock.now() })
      .execute()
    const putFile = () => Promise.reject(new Error('no room'))
    await makeExport({ ...making(), storage: { ...app.platform.storage, putFile } }, ana.id)
    expect([(await told(ana)).state, await isTold(ana)]).toEqual(['failed', false])
    expect(await readdir(join(app.platform.config.dataDir, 'work'))).toEqual([])
    await ask(ana)
    expect(await ready(ana)).toContain('/media/exports/')
    expect(await isTold(ana)).toBe(true)
  })

  const keys = async () => {
    const found: string[] = []
    for await (const { key } of app.platform.storage.list()) if (key.startsWith('exports/')) found.push(key)
    return found
  }

  it('no file stays behind after an export expires or the account is erased', { tags: 'long' }, async () => {
    const [ana, ben] = [await person(app), await person(app)]
    for (const one of [ana, ben]) await ask(one)
    const names = await Promise.all([ana, ben].map(async (one) => /exports\/([^?]+)/.exec(await ready(one))?.[1]))
    expect(await keys()).toEqual(expect.arrayContaining(names.map((name) => `exports/${name}`)))
    await eraseAccount(making(), ben.id)
    expect(await keys()).not.toContain(`exports/${names[1]}`)
    app.clock.advance(days(1) + hours(1))
    await sweepExports(making())
    expect([await keys(), await isTold(ana)]).toEqual([[], false])
  })

  it("an export that can't be removed doesn't keep those of others", { tags: 'long' }, async () => {
    const people = [await person(app), await person(app), await person(app)]
    for (const one of people) await ask(one)
    for (const one of people) await ready(one)
    app.clock.advance(days(1) + hours(1))
    const stuck = people[1] as Person
    await withBadRow(app, { table: 'data_exports', column: 'user_id', value: stuck.id }, () => sweepExports(making()))
    const states = () => Promise.all(people.map(async (one) => (await told(one)).state))
    const rows = () => owner.db.selectFrom('data_exports').select('user_id').execute()
    const left = async () =>
      (await rows()).map((row) => row.user_id).filter((id) => people.some((one) => one.id === id))
    expect(await left()).toEqual([stuck.id])
    await sweepExports(making())
    expect([await left(), await states()]).toEqual([[], ['none', 'none', 'none']])
  })

  it('an export that is finished while the account is erased leaves no file', { tags: 'long' }, async () => {
    const ana = await person(app)
    await addOwnPhoto(ana)
    const before = await keys()
    const at = app.clock.now()
    const asked = { user_id: ana.id, state: 'working', language: 'en', asked_at: at }
    await owner.db.insertInto('data_exports').values(asked).execute()
    // The person has an unread notification about an earlier export.
    const told = { user_id: ana.id, kind: 'export_ready', collapse_key: 'export', created_at: at }
    await owner.db.insertInto('notifications').values(told).execute()
    const { storage } = app.platform
    let made: Promise<void> | undefined
    const remove = async (key: string) => {
      made ??= makeExport(making(), ana.id)
      await Promise.race([made, new Promise((resolve) => setTimeout(resolve, 500))])
      await storage.remove(key)
    }
    const isErased = await eraseAccount({ ...making(), storage: { ...storage, remove } }, ana.id)
    await made
    if (!isErased) await eraseAccount(making(), ana.id)
    expect(await keys()).toEqual(before)
  })
})

async function conversationsOf(userId: string): Promise<Set<string>> {
  const { rows } = await owner.pool.query<{ id: string }>(
    'select id from conversations where $1 in (user_lo, user_hi)',
    [userId],
  )
  return new Set(rows.map(({ id }) => id))
}
