import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { symbols } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { after, days, hours } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { removeLeftFiles } from '../../platform/file-removal.ts'
import { outboxMailer } from '../../platform/mailer.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { addVoice, attachmentForm, upload } from '../../test/attachments.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { type Client, connect } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'
import { mailTo } from '../accounts/access.test-accounts.ts'
import { openReview } from '../claims/open-review.ts'
import { sanction } from '../sanctions/sanctions.ts'
import type { Erasing } from './erasure.ts'
import { eraseAccount, eraseDue } from './erasure.ts'
import { ledgerFile, readLedger } from './ledger.ts'

let app: TestApp
let owner: Pools
const logged: string[] = []

const erasing = (): Erasing => ({ ...app.platform, db: owner.db })

beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'trace' })
  owner = connectOwner(ownerOf(app.platform), () => undefined)
  const log = app.platform.log as unknown as Record<symbol, { write(line: string): void }>
  const stream = log[symbols.streamSym]
  if (stream) stream.write = (line) => void logged.push(line)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

const at = { latitude: 52.371234567, longitude: 4.892345678 }
const erase = (who: Person) => who.call('POST /api/erasure', { body: {} })
const eraseAtOf = async (who: Person) => (await who.call('GET /api/erasure')).body.eraseAt

async function allRows(): Promise<{ table: string; row: string }[]> {
  const { rows: tables } = await owner.pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const found: { table: string; row: string }[] = []
  for (const { name } of tables) {
    const { rows } = await owner.pool.query<{ row: string }>(`select t::text as row from ${name} t`)
    found.push(...rows.map(({ row }) => ({ table: name, row })))
  }
  return found
}

async function allFiles(): Promise<{ path: string; bytes: Buffer }[]> {
  const { dataDir } = app.platform.config
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(paths.map(async (path) => ({ path, bytes: await readFile(path) })))
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function say(from: Person, to: Person, line: Client, text: string, changes = {}): Promise<void> {
  const ack = await line.ask('send_message', outgoing(from, to, text, changes))
  if (!ack.ok) throw new Error(`not sent: ${JSON.stringify(ack)}`)
}

interface Life {
  ana: Person
  ben: Person
  canaries: string[]
  /** The person's files, with the hashes of those that nobody else has. */
  files: { path: string; hash: string }[]
  close(): void
}

/** Creates a person who leaves traces in every table and file store, and another person who stays. */
async function live(name: string): Promise<Life> {
  const email = `${name.toLowerCase()}-mail@canary.example`
  const words = { phone: `+31 6 ${name.length}5550101`, bio: `Bio of ${name}`, alt: `Picture of ${name}` }
  const ana = await person(app, { name, email, at, bio: words.bio, gender: 'woman', interests: ['ceramics'] })
  const ben = await person(app, { name: 'Ben', at, gender: 'man' })
  const before = new Set((await allFiles()).map(({ path }) => path))
  const form = new FormData()
  const pixels = {
    width: 400 + name.length,
    height: 500,
    channels: 3,
    background: { r: name.length * 9, g: 80, b: 40 },
  } as const
  const picture = await sharp({ create: pixels }).jpeg().toBuffer()
  form.append('file', new Blob([new Uint8Array(picture)]), 'a.jpg')
  const { body: own } = await ana.call('PATCH /api/user/:userId/image', { params: { userId: ana.id }, form })
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    await one.call('PUT /api/decisions/:userId', { params: { userId: other.id }, body: { decision: 'like' } })
    await one.call('GET /api/deck')
  }
  const lines = [await connect(app, ana), await connect(app, ben)] as const
  await say(ana, ben, lines[0], `Call me: ${words.phone}`)
  await say(ana, ben, lines[0], '', { attachmentId: (await upload(ana, ben, attachmentForm(picture))).body.id })
  await say(ana, ben, lines[0], '', { attachmentId: (await addVoice(ana, ben)).id })
  await say(ben, ana, lines[1], `Hello ${name}, I have your number`)
  const note = `Seems to be ${ana.id}, blocked (the same photo).`
  await transaction(app.platform, (tx) => openReview(tx, { kind: 'linked_account', userId: ben.id, note }))
  const { rows } = await owner.pool.query('select id from conversations where $1 in (user_lo, user_hi)', [ana.id])
  const item = { kind: 'message', conversationId: rows[0]?.id, seq: 1, body: `Send me money, ${name}` } as const
  const removal = { kind: 'item_removed', ground: 'scam', decidedBy: null, statement: 'You asked for money.' } as const
  await transaction(app.platform, (tx) => sanction(tx, { ...removal, userId: ben.id, item }))
  await outboxMailer(join(app.platform.config.dataDir, 'outbox'), 'Duet <a@b.c>').send({
    ...{ to: email, subject: `For ${name}`, text: 'Something' },
  })
  const files = (await allFiles()).filter(({ path }) => !before.has(path) && path.includes('/media/'))
  const digits = [at.latitude, at.longitude].map((value) => value.toFixed(5))
  return {
    ...{ ana, ben },
    canaries: [name, email, words.phone, words.bio, ana.id, own.images[0] ?? '?', ana.token, ...digits],
    files: files.map(({ path, bytes }) => ({ path, hash: path.includes('/voice/') ? path : sha256(bytes) })),
    close: () => lines.map(({ socket }) => socket.disconnect()),
  }
}

const tracesIn = async ({ canaries, files }: Life, isAllowed: (place: string) => boolean) => {
  const inRows = (await allRows()).filter(({ row }) => canaries.some((canary) => row.includes(canary)))
  const kept = await allFiles()
  const inFiles = kept.filter(
    ({ path, bytes }) =>
      files.some((file) => file.path === path || file.hash === sha256(bytes)) ||
      canaries.some((one) => path.includes(one) || bytes.includes(one)),
  )
  const places = [...inRows.map(({ table }) => table), ...inFiles.map(({ path }) => path)]
  return [...new Set(places)].filter((place) => !isAllowed(place))
}

const isLedger = (place: string) =>
  place === 'public.deletion_ledger' || place === ledgerFile(app.platform.config.dataDir)

describe('requesting an erasure', () => {
  it('Requesting erasure hides the person immediately, ends other sessions, emails them, and can be cancelled for 14 days.', async () => {
    const [ana, ben] = [await person(app, { at }), await person(app, { at })]
    app.clock.advance(40_000)
    await caller(app.url).call('POST /api/user/requestOtp', { body: { email: ana.email } })
    const body = { email: ana.email, otp: await app.codeFor(ana.email) }
    const { body: phone } = await caller(app.url).call('POST /api/user/authenticate', { body })
    const { status, body: told } = await erase(ana)
    expect(status).toBe(200)
    const inDays = (Date.parse(told.eraseAt ?? '') - app.clock.now().getTime()) / days(1)
    expect(inDays).toBeCloseTo(14, 3)
    expect((await ben.call('GET /api/user/:id', { params: { id: ana.id } })).status).toBe(404)
    expect((await caller(app.url, phone.token).call('GET /api/erasure')).status).toBe(401)
    await mailTo(app, ana.email, /deleted/)
    expect(await eraseAtOf(ana)).toBe(told.eraseAt)
    app.clock.advance(hours(1))
    expect((await ana.call('DELETE /api/erasure')).body).toEqual({ eraseAt: null })
    expect((await ben.call('GET /api/user/:id', { params: { id: ana.id } })).status).toBe(200)
  })

  it('Requesting erasure needs a sign-in within the last ten minutes; cancelling doesn’t.', async () => {
    const ana = await person(app)
    app.clock.advance(hours(1))
    const { status, body } = await erase(ana)
    expect([status, body.code]).toEqual([403, 'reauthentication_required'])
    expect(await eraseAtOf(ana)).toBeNull()
    expect((await ana.call('DELETE /api/erasure')).status).toBe(200)
  })

  it('A second erasure request keeps the first date and sends no email.', async () => {
    const ana = await person(app)
    await ana.call('PUT /api/user/language', { body: { language: 'ar' } })
    const first = (await erase(ana)).body.eraseAt
    expect(first).toMatch(/^2/)
    const { subject } = await mailTo(app, ana.email, /سيُحذف حسابك في Duet/)
    const waiting = async () =>
      (await owner.pool.query('select from graphile_worker._private_jobs where payload::text like $1', [`%${ana.id}%`]))
        .rowCount
    await expect.poll(waiting).toBe(0)
    app.clock.advance(60_000)
    expect((await erase(ana)).body.eraseAt).toBe(first)
    await expect.poll(waiting).toBe(0)
    expect(app.mails.filter((mail) => mail.to === ana.email && mail.subject === subject)).toHaveLength(1)
  })

  it('The erasure email goes to the address at the time of the request, once the mail server is back.', async () => {
    const ana = await person(app)
    const { send } = app.platform.mailer
    app.platform.mailer.send = (mail) => (mail.to === ana.email ? Promise.reject(new Error('away')) : send(mail))
    try {
      await erase(ana)
      await app.platform.db
        .updateTable('accounts')
        .set({ email: `new-${ana.email}` })
        .where('id', '=', ana.id)
        .execute()
      const failed = `select from graphile_worker._private_jobs where payload::text like $1 and attempts > 0 and locked_at is null`
      await expect.poll(async () => (await owner.pool.query(failed, [`%${ana.id}%`])).rowCount).toBe(1)
    } finally {
      app.platform.mailer.send = send
    }
    await owner.pool.query('update graphile_worker._private_jobs set run_at = now() where payload::text like $1', [
      `%${ana.id}%`,
    ])
    await mailTo(app, ana.email, /deleted/)
  })

  it('Requesting erasure removes the conversation from the other person’s list, and cancelling restores it.', {
    tags: 'long',
  }, async () => {
    const life = await live('Undoing')
    const listed = async () => (await life.ben.call('GET /api/messages/history')).body.map(({ id }) => id)
    expect(await listed()).toContain(life.ana.id)
    await erase(life.ana)
    expect(await listed()).not.toContain(life.ana.id)
    await life.ana.call('DELETE /api/erasure')
    expect(await listed()).toContain(life.ana.id)
    life.close()
  })
})

describe('after the deadline', () => {
  it('After the erasure, no table, file or log line holds a trace outside the ledger.', { tags: 'long' }, async () => {
    const life = await live('Canaryana')
    await erase(life.ana)
    life.close()
    await eraseDue(erasing())
    const before = await tracesIn(life, isLedger)
    expect(before).toEqual(
      expect.arrayContaining([
        'public.accounts',
        'public.profiles',
        'public.photos',
        'public.messages',
        'public.locations',
        'public.notifications',
      ]),
    )
    expect(before.filter((place) => place.includes('/media/'))).toHaveLength(7)
    expect(before.some((place) => place.includes('/outbox/'))).toBe(true)
    logged.length = 0
    app.clock.advance(days(14) + hours(1))
    await eraseDue(erasing())
    expect(await tracesIn(life, isLedger)).toEqual([])
    expect(logged.filter((line) => life.canaries.some((canary) => line.includes(canary)))).toEqual([])
    expect((await readLedger(ledgerFile(app.platform.config.dataDir))).map(({ userId }) => userId)).toContain(
      life.ana.id,
    )
    await expect.poll(async () => (await life.ana.call('GET /api/erasure')).status).toBe(401)
  })

  it('After the erasure, only reports and their evidence remain.', { tags: 'long' }, async () => {
    const life = await live('Reportedana')
    const body = { subject: { kind: 'profile' as const }, reason: 'scam' as const, details: '', block: false }
    const report = { userId: life.ana.id, ...body }
    expect((await life.ben.send('POST', '/api/reports', report)).status).toBe(201)
    await erase(life.ana)
    life.close()
    app.clock.advance(days(14) + hours(1))
    await eraseDue(erasing())
    const isEvidence = (place: string) =>
      isLedger(place) || place === 'public.reports' || place.includes('/media/evidence/')
    expect(await tracesIn(life, isEvidence)).toEqual([])
    expect(await tracesIn(life, isLedger)).toContain('public.reports')
  })

  it('After the erasure, the address is free and other people keep their own data.', async () => {
    const [ana, ben] = [await person(app), await person(app)]
    await eraseAccount(erasing(), ana.id)
    expect((await person(app, { email: ana.email })).id).not.toBe(ana.id)
    expect((await ben.call('GET /api/user/myDetails')).status).toBe(200)
  })
})

describe('an interrupted erasure', () => {
  it('The next run completes an erasure that failed at any point.', { tags: 'long' }, async () => {
    const life = await live('Cutana')
    await erase(life.ana)
    life.close()
    app.clock.advance(days(14) + hours(1))
    const broken = new Error('cut off')
    const { storage } = app.platform
    await eraseDue({ ...erasing(), mailer: { ...app.platform.mailer, forget: () => Promise.reject(broken) } })
    expect(await eraseAtOf(life.ana)).not.toBeNull()
    const away = (many: number) => {
      let removed = 0
      const remove = (key: string) => (removed++ < many ? storage.remove(key) : Promise.reject(broken))
      return { ...erasing(), storage: { ...storage, remove } }
    }
    await eraseDue(away(1))
    await expect.poll(async () => (await life.ana.call('GET /api/erasure')).status).toBe(401)
    for (const many of [0, 2]) await removeLeftFiles(away(many))
    const left = await tracesIn(life, isLedger)
    expect(left.length).toBeGreaterThan(1)
    expect(left.filter((place) => !place.includes('/media/') && place !== 'public.files_to_remove')).toEqual([])
    await removeLeftFiles(erasing())
    expect(await tracesIn(life, isLedger)).toEqual([])
  })

  it.each(['', '0', '4'])(
    'The next run completes an erasure that was killed with %s files removed.',
    { tags: 'long' },
    async (files) => {
      const life = await live(`Killedana${files}`)
      await erase(life.ana)
      life.close()
      const { host, user, database } = ownerOf(app.platform)
      const child = fork(fileURLToPath(new URL('./erasure.test-process.ts', import.meta.url)), {
        execArgv: ['--import', 'tsx'],
        env: {
          ...process.env,
          ERASE_DATABASE: JSON.stringify({ host, user, database }),
          ERASE_DATA_DIR: app.platform.config.dataDir,
          ERASE_FILES: files,
          ERASE_NOW: after(app.clock.now(), days(15)).toISOString(),
        },
      })
      await once(child, 'message')
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect((await tracesIn(life, isLedger)).length).toBeGreaterThan(1)
      app.clock.advance(days(14) + hours(1))
      // The database takes a moment to notice that the process that held the lock was killed.
      for (let tries = 0; tries < 100 && (await tracesIn(life, isLedger)).length > 0; tries++) {
        await eraseDue(erasing())
        await removeLeftFiles(erasing())
      }
      expect(await tracesIn(life, isLedger)).toEqual([])
    },
  )

  it('Others can write in the erased person’s conversations while a slow store removes the files.', {
    tags: 'long',
  }, async () => {
    const life = await live('Slowana')
    const line = await connect(app, life.ben)
    const { storage } = app.platform
    let isRemoving = () => undefined as unknown
    const removing = new Promise((resolve) => {
      isRemoving = () => resolve(undefined)
    })
    let letGo = () => undefined as unknown
    const held = new Promise((resolve) => {
      letGo = () => resolve(undefined)
    })
    const remove = async (key: string) => {
      isRemoving()
      await held
      return storage.remove(key)
    }
    const going = eraseAccount({ ...erasing(), storage: { ...storage, remove } }, life.ana.id)
    await removing
    const locks = `select from pg_locks where relation = 'conversations'::regclass and mode = 'RowShareLock' and granted
      and database = (select oid from pg_database where datname = current_database())`
    // Other transactions hold such locks only briefly. A faulty erasure would hold them until the file store answers.
    await expect.poll(async () => (await owner.pool.query(locks)).rowCount).toBe(0)
    expect(await line.ask('send_message', outgoing(life.ben, life.ana, 'Are you there?'))).toMatchObject({ ok: false })
    letGo()
    expect(await going).toBe(true)
    life.close()
  })

  it('Of several concurrent erasures of an account, exactly one runs.', async () => {
    const ana = await person(app)
    const done = await Promise.all([1, 2, 3].map(() => eraseAccount(erasing(), ana.id)))
    expect(done.filter(Boolean)).toHaveLength(1)
  })
})
