import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../tools/ports.ts'
import { backupName } from '../platform/database/backup-place.ts'
import { processIdentity } from '../platform/process/processes.ts'
import { noteRunning } from '../platform/process/running-note.ts'
import { createTestDatabase } from '../test/database.ts'
import { createTestRedis, hasRedis } from '../test/redis.ts'

async function findings(answers: RequestListener, more: Record<string, string> = {}): Promise<string> {
  const server = createServer(answers).listen(0, '127.0.0.1')
  const dataDir = mkdtempSync(join(tmpdir(), 'duet-doctor-'))
  onTestFinished(() => {
    server.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = {
    ...{ PATH: process.env.PATH ?? '', DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port) },
    DATABASE_URL: `postgres://duet@127.0.0.1:${await freePort()}/duet`,
    ...more,
  }
  const file = fileURLToPath(new URL('doctor.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  return text(child.stdout)
}

it('The doctor finds a Duet without its database, and mistakes no other server for one', { tags: 'long' }, async () => {
  const duet = await findings(({ url }, response) => {
    response.writeHead(url === '/healthz' ? 200 : 503).end(JSON.stringify({ ok: true, version: '1.2.3' }))
  })
  expect(duet).toMatch(/^ok {6}port: \d+: Duet 1\.2\.3 runs there$/m)
  expect(duet).toMatch(/^failed {2}database: connect ECONNREFUSED/m)
  const other = await findings((_request, response) => void response.end('Welcome'))
  expect(other).toMatch(/^failed {2}port: listen EADDRINUSE/m)
})

it('The doctor reports whether its settings match the running Duet, or that it cannot tell', {
  tags: 'long',
}, async () => {
  const free = String(await freePort())
  const look = (env: Record<string, string>, answers: RequestListener = (_, response) => void response.end()) =>
    findings(answers, { DATABASE_URL: '', PORT: free, ...env })
  const dataDir = mkdtempSync(join(tmpdir(), 'duet-doctor-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const shared = { HOST: '127.0.0.1', PORT: free, SUPER_ADMIN_EMAIL: 'ana@example.org' }
  const forget = noteRunning(dataDir, { ...shared, MAIL_URL: 'smtp://ana:secret@mail.example.org' })
  const file = join(dataDir, `running-${process.pid}.json`)
  const text = readFileSync(file, 'utf8')
  expect(text).not.toMatch(/secret|example/)
  expect(await look({ DATA_DIR: dataDir, SUPER_ADMIN_EMAIL: 'ben@example.org' })).toContain(
    `failed  settings: the running Duet (process ${process.pid}) has a different MAIL_URL, SUPER_ADMIN_EMAIL, so the checks`,
  )
  const other = spawn('sleep', ['1000'])
  onTestFinished(() => void other.kill())
  const note = { ...JSON.parse(text), pid: other.pid, identity: processIdentity(other.pid as number) }
  writeFileSync(join(dataDir, `running-${other.pid}.json`), JSON.stringify(note))
  writeFileSync(join(dataDir, 'running-1.json'), JSON.stringify({ ...note, pid: 1 }))
  forget()
  expect(await look({ DATA_DIR: dataDir, MAIL_URL: '' })).toContain(
    `process ${other.pid}) has a different MAIL_URL, SUPER_`,
  )
  noteRunning(dataDir, shared)
  expect(readdirSync(dataDir).sort()).toEqual([`running-${other.pid}.json`, `running-${process.pid}.json`].sort())
  expect(await look({ DATA_DIR: dataDir, SUPER_ADMIN_EMAIL: 'ana@example.org' })).toContain(
    `ok      settings: same as those of the running Duet (process ${process.pid})\n`,
  )
  const duet: RequestListener = (_, response) => void response.end('{"ok":true,"version":"1.2.3"}')
  const container = mkdtempSync(join(dataDir, 'container-'))
  writeFileSync(join(container, 'running-1.json'), JSON.stringify({ ...note, place: 'of a container' }))
  expect(await findings(duet, { DATA_DIR: container })).toMatch(
    /^wait {4}settings: Duet runs on port \d+, in another container, .* cannot be seen from here$/m,
  )
  const elsewhere = await findings(duet)
  expect(elsewhere).toMatch(/^failed {2}settings: Duet runs on port \d+, and not with DATA_DIR=/m)
})

it('The doctor distinguishes a first backup to come, a failed one and one dated in the future', {
  tags: 'long',
}, async () => {
  const database = await createTestDatabase()
  const place = mkdtempSync(join(tmpdir(), 'duet-doctor-'))
  onTestFinished(async () => {
    await database.drop()
    rmSync(place, { recursive: true, force: true })
  })
  const { host, user, database: name } = database.config
  const url = `postgres:///${name}?${new URLSearchParams({ host, user })}`
  const lineOf = async () =>
    (
      await findings((_, response) => void response.end(), {
        ...{ DATABASE_URL: url, BACKUP_TO: place, BACKUP_PASSPHRASE: 'open sesame twice' },
      })
    ).match(/^.*backups: .*$/m)?.[0]
  expect(await lineOf()).toBe(`wait    backups: none in ${place} yet; the first one runs at 02:11 UTC`)
  const client = new pg.Client(database.config)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`select graphile_worker.add_job('back-up')`)
  await client.query(
    `update graphile_worker._private_jobs set last_error = E'EROFS: read-only file system\\nat copyFile'`,
  )
  expect(await lineOf()).toBe(`failed  backups: none in ${place}; the last try failed: EROFS: read-only file system`)
  writeFileSync(join(place, backupName(new Date(Date.now() + 86_400_000))), '')
  expect(await lineOf()).toMatch(/^failed {2}backups: the newest, duet-.*, is dated in the future: a clock was wrong/)
})

describe.skipIf(!hasRedis)('With Redis', () => {
  it('The doctor reports whether Redis answers', { tags: 'long' }, async () => {
    const redis = await createTestRedis()
    onTestFinished(() => redis.stop())
    const found = async () =>
      (await findings((_request, response) => void response.end(), { REDIS_URL: redis.url })).match(
        /^.*Redis: .*$/m,
      )?.[0]
    expect(await found()).toMatch(/^failed {2}Redis: (connect ECONNREFUSED|Connection is closed)/)
    await redis.start()
    expect(await found()).toMatch(/^ok {6}Redis: 127\.0\.0\.1:\d+ answers$/)
  })
})
