import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../logger.ts'
import { childEnvironment } from '../process/child-environment.ts'
import { CannotStart, WasKilled } from '../process/data-dir.ts'
import { usersOf } from './postgres-binaries.ts'
import { type Cluster, killAtExit, pathWithin, stopLeftover, wasKilled } from './postgres-cluster.ts'

export type DatabaseLog = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

const settings = {
  listen_addresses: '',
  unix_socket_directories: '.',
  max_connections: '100',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Neither statements nor the rows they failed on: they hold what people wrote.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  // Statements that take long, without what is put into them.
  log_min_duration_statement: '2s',
  log_parameter_max_length: '0',
}
const forgetful = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/*
 * The C library gives memory above 128 KB back to the system as soon as it is free, and most of our statements take a
 * little more: each of them then got it page by page, and gave it back, which took longer than the statement itself. So
 * each connection keeps up to a megabyte (mallopt(3); another C library than GNU's knows no such names).
 */
const megabyte = String(2 ** 20)
const allocator = { MALLOC_TRIM_THRESHOLD_: megabyte, MALLOC_MMAP_THRESHOLD_: megabyte }

/*
 * PostgreSQL trusts the kernel's word for who connects, and lets in the users of `$1` alone: as root it runs as a user that
 * other daemons may share. It would outlive a parent that is killed, so file descriptor 3, which closes with the parent,
 * stops it.
 */
const prepared = `umask 077
echo 'local all all peer map=duet' >pg_hba.conf
printf '%s' "$1" >pg_ident.conf
shift
main=$$
({ read -r word <&3; [ -n "$word" ] || kill -INT "$main"; } >/dev/null 2>&1 &)
exec "$@" 3<&-`

/** A cluster with the settings that go over ours. */
type Settled = Cluster & { own: Readonly<Record<string, string>> }

function launch({ folder, binaries, runAs, durable, own }: Settled): ChildProcess {
  const chosen = Object.entries({ ...settings, ...(durable ? {} : forgetful), ...own })
  const postgres = [join(binaries, 'bin/postgres'), '-D', pathWithin(folder, runAs)]
  const args = chosen.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const users = usersOf(runAs).map((name) => `duet "${name}" all\n`)
  return spawn('/bin/sh', ['-c', prepared, 'sh', users.join(''), ...postgres, ...args], {
    cwd: folder,
    ...runAs,
    env: { ...childEnvironment(), ...allocator },
    detached: true, // Ctrl-C is for us: we stop the database when it is no longer needed.
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
}

interface Running {
  child: ChildProcess
  /** Resolves when it takes connections; rejects with `CannotStart` when it ends or falls silent before. */
  ready: Promise<void>
  ended: Promise<void>
}

/** How long a start may say nothing, and the pauses before a server that keeps ending is started again. */
export interface ServerTimes {
  silenceMs: number
  /** The first start is at once, the second after `pauseMs`, each further one after twice as long. */
  pauseMs: number
  longestPauseMs: number
  /** A server that ran for so long is well: should it end, it is started at once. */
  wellMs: number
}
const usualTimes: ServerTimes = { silenceMs: 600_000, pauseMs: 500, longestPauseMs: 30_000, wellMs: 5_000 }
const mostStarts = 5

const recovering =
  /not properly shut down|redo (starts|in progress)|syncing data directory|resetting unlogged relations/
const recoveryHelp =
  'the database was not stopped cleanly and recovers what was written; on a slow disk this takes minutes, and nothing is lost if it is left running'

/** Hands what PostgreSQL says to the log: a recovery in plain words, once, and then how it goes. */
function createRecorder(log: DatabaseLog): (line: string) => void {
  let isTold = false
  return (line) => {
    if (line.startsWith('PANIC')) log.error(`postgres: ${line}`)
    else if (/^(FATAL|WARNING|LOG: {2}duration)/.test(line)) log.warn(`postgres: ${line}`)
    else if (recovering.test(line)) {
      if (!isTold) log.warn(recoveryHelp)
      isTold = true
      log.info(`postgres: ${line}`)
    } else log.debug(`postgres: ${line}`)
  }
}

/** Does it again when it was killed, a few times: on a machine that is short of memory the next try may do better. */
export async function unlessKilled<T>(log: DatabaseLog, act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof WasKilled) || tries === mostStarts) throw error
      log.error('the database was killed as it started; starting it again')
      await sleep(500)
    }
  }
}

type Outcome = 'ready' | 'over' | 'silent'

/** Hears the server out until it takes connections, ends, or has said nothing for `silenceMs`. */
function outcomeOf(stderr: Readable, silenceMs: number, onLine: (line: string) => void): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome) => {
      clearTimeout(timer)
      resolve(outcome)
    }
    const listen = () => setTimeout(settle, silenceMs, 'silent')
    let timer = listen()
    let isSettled = false
    createInterface(stderr)
      .on('line', (line) => {
        onLine(line)
        if (isSettled) return
        clearTimeout(timer)
        isSettled = line.includes('ready to accept connections')
        if (isSettled) settle('ready')
        else timer = listen()
      })
      .once('close', () => {
        isSettled = true
        settle('over')
      })
  })
}

function endAtOnce(child: ChildProcess): void {
  child.kill('SIGQUIT')
  setTimeout(() => child.kill('SIGKILL'), 5_000).unref()
}

/** Starts the server; nothing of an earlier one runs any more. */
function run(cluster: Settled, log: DatabaseLog, silenceMs: number): Running {
  const child = launch(cluster)
  if (!cluster.durable) killAtExit(child)
  const [, , stderr, lifeline] = child.stdio as unknown as [null, null, Readable, Writable]
  lifeline.on('error', () => {})
  const ended = new Promise<void>((settle) => child.once('exit', () => settle()).once('error', () => settle()))
  // biome-ignore lint/plugin/void: `ended` only ever resolves.
  void ended.then(() => lifeline.end('over\n'))
  const lines: string[] = []
  const record = createRecorder(log)
  const hear = (line: string) => {
    // Its first words and its last ones: how it goes in between is in the log.
    if (lines.push(line) > 20) lines.splice(10, 1)
    record(line)
  }
  const requireReady = async () => {
    const outcome = await outcomeOf(stderr, silenceMs, hear)
    if (outcome === 'ready') return
    if (outcome === 'silent') lines.push(`It said nothing for ${Math.round(silenceMs / 1_000)} s.`)
    if (outcome === 'silent') endAtOnce(child)
    await ended
    const Fault = outcome === 'over' && wasKilled(child, lines) ? WasKilled : CannotStart
    throw new Fault(`The database did not start: ${lines.join(' ')}`)
  }
  return { child, ready: requireReady(), ended }
}

/** How long to wait before the next start, by how long the server ran. */
function createPauses({ pauseMs, longestPauseMs, wellMs }: ServerTimes): (ranMs: number) => number {
  let next = 0
  return (ranMs) => {
    const pause = ranMs >= wellMs ? 0 : next
    next = Math.min(longestPauseMs, Math.max(pauseMs, pause * 2))
    return pause
  }
}

/** Keeps the server running until the returned function is called: one that dies is started again. */
export async function supervise(
  cluster: Settled,
  log: DatabaseLog,
  times: ServerTimes = usualTimes,
): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  let current: Running | undefined
  const begin = async () => {
    await stopLeftover(cluster.folder)
    if (stopping.signal.aborted) return
    current = run(cluster, log, times.silenceMs)
    await current.ready
  }
  await unlessKilled(log, begin)
  const watching = keepRunning(begin, () => current?.ended, { log, times, signal: stopping.signal })
  return async () => {
    stopping.abort()
    const tell = (signal: NodeJS.Signals) => current?.child.kill(signal)
    // Connections that were just closed get a moment to go; those that stay are cut; then nothing is waited for.
    const cut = setTimeout(tell, 300, 'SIGINT')
    const insist = setInterval(tell, 10_000, 'SIGQUIT')
    tell('SIGTERM')
    await watching
    clearTimeout(cut)
    clearInterval(insist)
  }
}

interface Keeping {
  log: DatabaseLog
  times: ServerTimes
  signal: AbortSignal
}

/** Starts the server again whenever it ends, until `signal`; a server that keeps ending is started less and less often. */
async function keepRunning(
  begin: () => Promise<void>,
  ended: () => Promise<void> | undefined,
  { log, times, signal }: Keeping,
): Promise<void> {
  const pauseAfter = createPauses(times)
  for (let since = performance.now(); ; since = performance.now()) {
    await ended()
    if (signal.aborted) return
    const pause = pauseAfter(performance.now() - since)
    log.error(
      pause === 0
        ? 'the database has ended by itself; starting it again'
        : `the database has ended by itself; starting it again in ${pause / 1_000} s`,
    )
    await sleep(pause, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    await begin().catch((err) => signal.aborted || log.error({ err }, 'the database could not be started again'))
  }
}
