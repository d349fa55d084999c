import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import { freePort } from '../../../tools/ports.ts'
import { connectRedis } from '../platform/realtime/redis-address.ts'
import { startTestApp, type TestApp } from './app.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { shortTimes } from './nodes.ts'
import { type Person, people } from './people.ts'
import { hasRedis } from './redis.ts'
import { type Client, connect } from './sockets.ts'
import { standstillMs } from './standstill.ts'
import { outgoing } from './talk.ts'

const patient = { timeout: standstillMs }

describe.skipIf(!hasRedis)('nodes with a Redis under three sentinels', () => {
  const programs: ChildProcess[] = []
  let primary: ChildProcess
  let database: TestDatabase
  let here: TestApp
  let there: TestApp
  let ana: Person
  let ben: Person
  let anaHere: Client

  const start = (...args: string[]) => {
    const child = spawn('redis-server', args, { stdio: 'ignore' })
    programs.push(child)
    return child
  }
  function startRedis(port: number, ...more: string[]): ChildProcess {
    // The replica writes its copy of the data to disk.
    const own = join(inject('folder'), `redis-${port}`)
    mkdirSync(own)
    const options = ['--bind', '127.0.0.1', '--save', '', '--repl-diskless-sync-delay', '0', '--dir', own]
    return start('--port', String(port), ...options, ...more)
  }

  function startSentinel(port: number, primaryPort: number): void {
    const words: Record<string, string> = {
      SENTINEL_PORT: String(port),
      SENTINEL_DIR: join(inject('folder'), `sentinel-${port}`),
      PRIMARY_HOST: '127.0.0.1',
      PRIMARY_PORT: String(primaryPort),
    }
    mkdirSync(words.SENTINEL_DIR as string)
    const given = readFileSync(new URL('../../../deploy/ha/sentinel.conf', import.meta.url), 'utf8')
    const file = join(words.SENTINEL_DIR as string, 'sentinel.conf')
    writeFileSync(
      file,
      `${given.replace(/^#.*\n/gm, '').replace(/\b[A-Z_]{4,}\b/g, (word) => words[word] ?? word)}bind 127.0.0.1\n`,
    )
    start(file, '--sentinel')
  }

  async function startAll(): Promise<void> {
    const [one, other, ...sentinels] = await Promise.all(Array.from({ length: 5 }, () => freePort()))
    primary = startRedis(one as number)
    startRedis(other as number, '--replicaof', '127.0.0.1', String(one))
    for (const port of sentinels) startSentinel(port, one as number)
    const url = `redis://duet?sentinels=${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}`
    // The sentinels discover the replica and each other through the primary.
    const sentinel = connectRedis(`redis://127.0.0.1:${sentinels[0]}`, { retryStrategy: () => 100 })
    sentinel.on('error', () => undefined)
    await vi.waitFor(async () => {
      const known = (await sentinel.call('SENTINEL', 'CKQUORUM', 'duet')) as string
      expect(known).toContain('3 usable Sentinels')
      expect(await sentinel.call('SENTINEL', 'REPLICAS', 'duet')).toHaveLength(1)
    }, patient)
    sentinel.disconnect()
    database = await createTestDatabase()
    const node = () => startTestApp({ REDIS_URL: url, LOG_LEVEL: 'silent' }, { database, nodeTimes: shortTimes })
    ;[here, there] = await Promise.all([node(), node()])
    ;[ana, ben] = (await people(here, 2)) as [Person, Person]
  }
  afterAll(async () => {
    await Promise.all([here?.close(), there?.close()])
    await database?.drop()
    for (const child of programs) child.kill('SIGKILL')
  })

  async function carries(benThere: Client, text: string): Promise<void> {
    await vi.waitFor(async () => {
      await anaHere.ask('send_message', outgoing(ana, ben, text))
      expect(benThere.received('private message').map(({ message }) => message)).toContain(text)
    }, patient)
  }

  it('Nodes continue with the new primary after a Redis failover.', { tags: 'long' }, async () => {
    await startAll()
    anaHere = await connect(here, ana)
    const benThere = await connect(there, ben)
    await carries(benThere, 'before')
    const ended = once(primary, 'exit')
    primary.kill('SIGKILL')
    await ended
    await carries(benThere, 'after')
  })
})
