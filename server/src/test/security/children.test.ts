import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, inject, it } from 'vitest'
import { openStudio } from '../../demo/drawing.ts'
import { startEmbeddedPostgres } from '../../platform/database/embedded-postgres.ts'
import { createDecoders } from '../../platform/storage/decoders.ts'
import { jpeg } from './uploads/pictures.ts'

const log = { debug() {}, info() {}, warn() {}, error: console.error }
const opened: (() => unknown)[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((close) => close()))))

const parentOf = (pid: string) => /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]

function descendants(): string[] {
  const parents = new Map<string, string | undefined>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(pid, parentOf(pid))
    } catch {
      // The process has just exited.
    }
  }
  const isOurs = (pid: string | undefined): boolean =>
    pid !== undefined && (pid === String(process.pid) || isOurs(parents.get(pid)))
  return [...parents.keys()].filter((pid) => isOurs(parents.get(pid)))
}

function variablesOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter(Boolean)
      .map((line) => line.slice(0, line.indexOf('=')))
  } catch {
    return []
  }
}

const programOf = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ')

/** Variables for paths and memory settings, and Node.js's channel to its parent. */
const harmless = /^(PATH|LD_LIBRARY_PATH|PWD|OLDPWD|SHLVL|_|MALLOC_\w+|NODE_CHANNEL_\w+)$/

it.skipIf(process.platform !== 'linux')('A child process gets no variable of ours.', async () => {
  process.env.SECRET_KEY = 'canary'
  const before = new Set(descendants())
  const dataDir = join(inject('folder'), 'children')
  const postgres = await startEmbeddedPostgres({ dataDir, log, durable: false })
  const [decoders, studio] = [createDecoders(), openStudio()]
  opened.push(() => delete process.env.SECRET_KEY, postgres.stop, decoders.close, studio.close)
  await decoders.decode('ana', { decoder: 'print', bytes: await jpeg() })
  const children = descendants().filter((pid) => !before.has(pid))
  const programs = children.map(programOf).join('\n')
  for (const program of ['bin/postgres', 'decode-files', 'draw-portraits']) expect(programs).toContain(program)
  expect(children.flatMap(variablesOf).filter((name) => !harmless.test(name))).toEqual([])
})

/** Prints the first letter of PostgreSQL's response to a connection: R accepts, E refuses. */
const knock = `
const words = Buffer.from('user\\0duet\\0database\\0postgres\\0\\0')
const head = Buffer.alloc(8)
head.writeInt32BE(words.length + 8, 0)
head.writeInt32BE(196608, 4)
const socket = require('node:net').connect('.s.PGSQL.5432', () => socket.write(Buffer.concat([head, words])))
socket.once('data', (bytes) => { console.log(bytes.toString('latin1', 0, 1)); socket.destroy() })
`

async function answerTo(user: { uid?: number; gid?: number }): Promise<string> {
  const { host } = inject('postgres')
  const child = spawn(process.execPath, ['-e', knock], { ...user, cwd: host, stdio: ['ignore', 'pipe', 'inherit'] })
  const [answer] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return answer.trim()
}

const isRoot = process.platform === 'linux' && userInfo().uid === 0
it.skipIf(!isRoot || process.env.TEST_POSTGRES)(
  'The embedded database refuses other local users, even the one it runs as.',
  async () => {
    const nobody = 65_534
    expect([await answerTo({}), await answerTo({ uid: nobody, gid: nobody })]).toEqual(['R', 'E'])
  },
)
