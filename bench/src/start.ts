import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { postgresProcessesOf } from '../../server/src/platform/process/processes.ts'
import { report } from '../../tools/report.ts'
import { nodeFlagsOf } from '../../tools/server.ts'

// P8: the time from the first `npm start`, in a fresh clone with an empty npm cache, until the app responds, and the
// time of a second start. P14: the same for an unpacked release in production, with only Node installed. P13: the
// memory of all processes after a minute without requests, once the demo's portraits are drawn. Shared pages are
// counted once.
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
  child.kill('SIGTERM')
  await ended
}

/** Reads a file of /proc. Empty if the process has ended in the meantime. */
function toldOf(pid: string | number, file: 'status' | 'cmdline' | 'smaps_rollup'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

function familyOf(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = all.filter((name) => Number(/^PPid:\s+(\d+)/m.exec(toldOf(name, 'status'))?.[1]) === pid)
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
}

/** The memory in MB. Pages shared by several processes are divided among them. */
function memoryOf(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(toldOf(pid, 'smaps_rollup'))?.[1] ?? 0))
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024)
}

const isDrawing = (pid: number) => familyOf(pid).some((one) => toldOf(one, 'cmdline').includes('draw-portraits'))

async function untilRested(pid: number): Promise<void> {
  const since = performance.now()
  do {
    while (isDrawing(pid) && performance.now() - since < limitMs) await sleep(500)
    await sleep(60_000)
  } while (isDrawing(pid))
}

interface Start {
  /** The time until /readyz responds. */
  seconds: number
  /** The memory of all processes after a minute of rest, in MB; 0 if it wasn't measured. */
  idleMb: number
}

/** Starts Duet in `folder`, which also holds its data, and stops it again. */
async function start(
  folder: string,
  [command = '', ...args]: string[],
  { env, rests }: { env: NodeJS.ProcessEnv; rests?: boolean },
): Promise<Start> {
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
      if (answer?.ok) {
        const seconds = Math.round((performance.now() - since) / 10) / 100
        if (!rests) return { seconds, idleMb: 0 }
        await untilRested(child.pid as number)
        const database = postgresProcessesOf(join(folder, 'data/postgres'))
        return { seconds, idleMb: memoryOf([...new Set([...familyOf(child.pid as number), ...database])]) }
      }
      await sleep(20)
    }
    throw new Error('it was not ready in time')
  } finally {
    await stop(child)
  }
}

function megabytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => lstatSync(join(folder, path)))
  return Math.round(files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0) / 1e6)
}

const folder = mkdtempSync(join(tmpdir(), 'duet-start-'))
const clone = join(folder, 'duet')
try {
  execFileSync('git', ['clone', '--quiet', root, clone])
  const env = { HOME: folder, PATH: process.env.PATH ?? '' }
  const fresh = await start(clone, ['npm', 'start'], { env })
  const second = await start(clone, ['npm', 'start'], { env, rests: true })
  const released = join(folder, 'released')
  execFileSync('npm', ['run', 'release', '--', '--folder', released], { cwd: clone, env, stdio: 'pipe' })
  const size = megabytesOf(released)
  const production = {
    PATH: dirname(process.execPath),
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://localhost:3000',
    SECRET_KEY: randomBytes(32).toString('hex'),
    MAIL_URL: 'smtp://localhost:25',
  }
  const main = [process.execPath, ...nodeFlagsOf(root), 'server/dist/main.js']
  const first = await start(released, main, { env: production, rests: true })
  report('start', [
    {
      id: 'P8.fresh_s',
      value: fresh.seconds,
      target: '<= 120',
      note: 'fresh clone, empty npm cache: npm start until /readyz',
    },
    {
      id: 'P8.second_s',
      value: second.seconds,
      target: '<= 3',
      note: 'npm start again in the same clone until /readyz',
    },
    {
      id: 'P13.idle_demo_mb',
      value: second.idleMb,
      target: '<= 220',
      note: 'that start, with the demo, a minute after its portraits are drawn',
    },
    {
      id: 'P13.idle_mb',
      value: first.idleMb,
      target: '<= 160',
      note: 'a release in production, without the demo, a minute later',
    },
    { id: 'P14.install_mb', value: size, target: '<= 150', note: 'what is released, unpacked: the bytes of its files' },
    {
      id: 'P14.first_answer_s',
      value: first.seconds,
      target: '<= 10',
      note: 'its first start with an empty DATA_DIR, in production, until /readyz',
    },
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
