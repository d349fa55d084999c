import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { report } from '../../tools/report.ts'

// P8: how long a newcomer waits, from `npm start` in a fresh clone with an empty npm cache until the app answers, and
// how long the second start takes.
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

/** Seconds from `npm start` in `clone` until /readyz answers; stops it again. */
async function secondsToReady(clone: string, home: string): Promise<number> {
  const port = await freePort()
  const env = { HOME: home, PATH: process.env.PATH ?? '', PORT: String(port) }
  const since = performance.now()
  const child = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    while (performance.now() - since < limitMs) {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
      if (answer?.ok) return Math.round((performance.now() - since) / 10) / 100
      await sleep(20)
    }
    throw new Error('it does not get ready')
  } finally {
    await stop(child)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'duet-start-'))
const clone = join(folder, 'duet')
try {
  execFileSync('git', ['clone', '--quiet', root, clone])
  const fresh = await secondsToReady(clone, folder)
  const second = await secondsToReady(clone, folder)
  report('start', [
    { id: 'P8.fresh_s', value: fresh, target: '<= 120', note: 'fresh clone, empty npm cache: npm start until /readyz' },
    { id: 'P8.second_s', value: second, target: '<= 3', note: 'npm start again in the same clone until /readyz' },
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
