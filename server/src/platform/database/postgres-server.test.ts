import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { supervise } from './postgres-server.ts'

const top = mkdtempSync(join(tmpdir(), 'duet-server-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))
afterEach(() => vi.useRealTimers())

const program = `#!/bin/sh
echo started >> starts
env > environment
echo "LOG:  starting PostgreSQL" >&2
n=1
while :; do
  while [ ! -e "say-$n" ]; do sleep 0.05; done
  IFS= read -r line < "say-$n"
  if [ "$line" = end ]; then exit 1; fi
  echo "$line" >&2
  n=$((n + 1))
done
`

function createServer(name: string) {
  const folder = join(top, name)
  const binaries = join(folder, 'native')
  mkdirSync(join(binaries, 'bin'), { recursive: true })
  writeFileSync(join(binaries, 'bin/postgres'), program)
  chmodSync(join(binaries, 'bin/postgres'), 0o755)
  const heard: string[] = []
  const hear = (level: string) => (first: unknown, second?: unknown) =>
    void heard.push(`${level}: ${typeof first === 'string' ? first : second}`)
  const log = { debug: hear('debug'), info: hear('info'), warn: hear('warn'), error: hear('error') }
  let said = 0
  const put = (n: number, line: string) => {
    const file = join(folder, `say-${n}`)
    writeFileSync(`${file}.new`, `${line}\n`)
    renameSync(`${file}.new`, file)
  }
  const hasSaid = (line: string) => expect.poll(() => heard.join('\n')).toContain(line)
  return {
    cluster: { folder, binaries, runAs: {}, durable: true, own: {} },
    log: log as unknown as Parameters<typeof supervise>[1],
    heard,
    hasSaid,
    hasStarted: (times: number) =>
      expect.poll(() => readFileSync(join(folder, 'starts'), 'utf8')).toBe('started\n'.repeat(times)),
    /** At least this many starts, because a server that keeps restarting may start again while we check. */
    hasStartedOften: (times: number) =>
      expect.poll(() => readFileSync(join(folder, 'starts'), 'utf8')).toContain('started\n'.repeat(times)),
    async say(line: string): Promise<void> {
      said += 1
      put(said, line)
      await hasSaid(line)
    },
    endOnce() {
      for (let n = 1; n <= said; n += 1) rmSync(join(folder, `say-${n}`))
      put(said + 1, 'end')
    },
    endAlways() {
      for (let n = 1; n <= said + 1; n += 1) put(n, 'end')
    },
  }
}

const ready = 'LOG:  database system is ready to accept connections'
const minutes = (count: number) => count * 60_000
const times = { silenceMs: minutes(10), pauseMs: 10, longestPauseMs: 40, wellMs: minutes(600) }

test('A recovery may take any time while it logs progress, and the log explains it', {
  timeout: 120_000,
}, async () => {
  const server = createServer('recovery')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const starting = supervise(server.cluster, server.log)
  await server.hasSaid('starting PostgreSQL')
  for (const line of [
    'LOG:  database system was not properly shut down; automatic recovery in progress',
    'LOG:  redo in progress, elapsed time: 600.00 s, current LSN: 0/2A0',
    'LOG:  redo in progress, elapsed time: 1200.00 s, current LSN: 0/3B0',
    ready,
  ]) {
    vi.advanceTimersByTime(minutes(9.9))
    await server.say(line)
  }
  const stop = await starting
  vi.useRealTimers()
  await stop()
  const told = server.heard.filter((line) => /^(warn|error)/.test(line))
  expect(told).toEqual([expect.stringMatching(/^warn: .*recovers.*nothing is lost if it is left running$/)])
  expect(server.heard).toContain('info: postgres: LOG:  redo in progress, elapsed time: 1200.00 s, current LSN: 0/3B0')
  await server.hasStarted(1)
})

test('A start that logs nothing for ten minutes fails', { timeout: 120_000 }, async () => {
  const server = createServer('silent')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const outcome = supervise(server.cluster, server.log).catch((error: Error) => error.message)
  await server.hasSaid('starting PostgreSQL')
  vi.advanceTimersByTime(minutes(10))
  vi.useRealTimers()
  expect(await outcome).toMatch(/^The database did not start: .* It logged nothing for 600 s\.$/)
})

test('A database that keeps ending restarts immediately, then after growing pauses', {
  timeout: 120_000,
}, async () => {
  const server = createServer('ending')
  const starting = supervise(server.cluster, server.log, times)
  await server.say(ready)
  const stop = await starting
  server.endAlways()
  await server.hasStartedOften(6)
  await stop()
  const pauses = server.heard
    .filter((line) => line.includes('ended unexpectedly'))
    .map((line) => line.split('again')[1])
  expect(pauses.slice(0, 5)).toEqual(['', ' in 0.01 s', ' in 0.02 s', ' in 0.04 s', ' in 0.04 s'])
})

test('Stopping does not wait for a recovery', { timeout: 120_000 }, async () => {
  const server = createServer('stopping')
  const starting = supervise(server.cluster, server.log, times)
  await server.say(ready)
  const stop = await starting
  server.endOnce()
  await server.hasStarted(2)
  await stop()
  expect(server.heard.filter((line) => line.includes('could not be started'))).toEqual([])
})

test('The database gets the settings that keep memory between statements', { timeout: 120_000 }, async () => {
  const server = createServer('keeping')
  const starting = supervise(server.cluster, server.log, times)
  await server.say(ready)
  await (await starting)()
  const environment = readFileSync(join(server.cluster.folder, 'environment'), 'utf8')
  for (const name of ['MALLOC_TRIM_THRESHOLD_', 'MALLOC_MMAP_THRESHOLD_'])
    expect(environment).toContain(`${name}=1048576`)
})
