import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { report } from '../../tools/report.ts'

// P8: how long a newcomer waits, from `npm start` in a fresh clone with an empty npm cache until the app answers, and
// how long the second start takes. P14: the same for what is released, unpacked, with nothing but Node, in production.
const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const limitMs = 10 * 60_000

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  await ended
}

/** Seconds from a start in `folder` until /readyz answers; stops it again. */
async function secondsToReady(folder: string, [command = '', ...args]: string[], env: NodeJS.ProcessEnv) {
  const port = await freePort()
  const since = performance.now()
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    while (performance.now() - since < limitMs) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
      if (answer?.ok) return Math.round((performance.now() - since) / 10) / 100
      await sleep(20)
    }
    throw new Error('it does not get ready')
  } finally {
    await stop(child)
  }
}

/** The bytes of all files in a folder, in MB. */
function megabytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => lstatSync(join(folder, path)))
  return Math.round(files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0) / 1e6)
}

const folder = mkdtempSync(join(tmpdir(), 'duet-start-'))
const clone = join(folder, 'duet')
try {
  execFileSync('git', ['clone', '--quiet', root, clone])
  const env = { HOME: folder, PATH: process.env.PATH ?? '' }
  const fresh = await secondsToReady(clone, ['npm', 'start'], env)
  const second = await secondsToReady(clone, ['npm', 'start'], env)
  const released = join(folder, 'released')
  execFileSync('npm', ['run', 'release', '--', '--folder', released], { cwd: clone, env, stdio: 'pipe' })
  const size = megabytesOf(released)
  const production = {
    PATH: dirname(process.execPath),
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://localhost:3000',
    SECRET_KEY: randomBytes(32).toString('hex'),
  }
  const first = await secondsToReady(released, [process.execPath, 'server/dist/main.js'], production)
  report('start', [
    { id: 'P8.fresh_s', value: fresh, target: '<= 120', note: 'fresh clone, empty npm cache: npm start until /readyz' },
    { id: 'P8.second_s', value: second, target: '<= 3', note: 'npm start again in the same clone until /readyz' },
    { id: 'P14.install_mb', value: size, target: '<= 150', note: 'what is released, unpacked: the bytes of its files' },
    {
      id: 'P14.first_answer_s',
      value: first,
      target: '<= 10',
      note: 'its first start with an empty DATA_DIR, in production, until /readyz',
    },
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
