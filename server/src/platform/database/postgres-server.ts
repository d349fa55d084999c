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
  // Don't log statements or the failing rows: they contain what people wrote.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  // Log slow statements without their parameters.
  log_min_duration_statement: '2s',
  log_parameter_max_length: '0',
}
const forgetful = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/*
 * glibc returns freed blocks above 128 KB to the system immediately, and most of our statements need slightly more.
 * Mapping those pages again took longer than the statement itself. See mallopt(3); other C libraries ignore these
 * variables.
 */
const megabyte = String(2 ** 20)
const allocator = { MALLOC_TRIM_THRESHOLD_: megabyte, MALLOC_MMAP_THRESHOLD_: megabyte }

/*
 * Peer authentication admits only the users in `$1`, because other daemons may run as the same user as the server. File
 * descriptor 3 closes when the parent ends, even if it is killed, and that stops the server.
 */
const prepared = `umask 077
echo 'local all all peer map=duet' >pg_hba.conf
printf '%s' "$1" >pg_ident.conf
shift
main=$$
({ read -r word <&3; [ -n "$word" ] || kill -INT "$main"; } >/dev/null 2>&1 &)
exec "$@" 3<&-`

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
    detached: true, // Ctrl-C must not reach the database: we stop it once nothing needs it.
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
}

interface Running {
  child: ChildProcess
  /**
   * Resolves when the server accepts connections. Rejects with `CannotStart` if it exits or stops logging before that.
   */
  ready: Promise<void>
  ended: Promise<void>
}

/**
 * How long a starting server may go without logging, and how long to pause before restarting one that keeps exiting.
 */
export interface ServerTimes {
  silenceMs: number
  /** The first restart is immediate, the second waits this long, and the wait doubles each time. */
  pauseMs: number
  longestPauseMs: number
  /** A server that ran for this long counts as healthy, so if it exits, it restarts immediately. */
  wellMs: number
}
const usualTimes: ServerTimes = { silenceMs: 600_000, pauseMs: 500, longestPauseMs: 30_000, wellMs: 5_000 }
const mostStarts = 5

const recovering =
  /not properly shut down|redo (starts|in progress)|syncing data directory|resetting unlogged relations/
const recoveryHelp =
  'the database was not stopped cleanly and recovers what was written; on a slow disk this takes minutes, and nothing is lost if it is left running'

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

/** Retries a few times if the process was killed: when memory is short, the next attempt may succeed. */
export async function unlessKilled<T>(log: DatabaseLog, act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof WasKilled) || tries === mostStarts) throw error
      log.error('the database was killed while starting; starting it again')
      await sleep(500)
    }
  }
}

type Outcome = 'ready' | 'over' | 'silent'

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
    // Keep the first and last lines for the error message; the log has all of them.
    if (lines.push(line) > 20) lines.splice(10, 1)
    record(line)
  }
  const requireReady = async () => {
    const outcome = await outcomeOf(stderr, silenceMs, hear)
    if (outcome === 'ready') return
    if (outcome === 'silent') lines.push(`It logged nothing for ${Math.round(silenceMs / 1_000)} s.`)
    if (outcome === 'silent') endAtOnce(child)
    await ended
    const Fault = outcome === 'over' && wasKilled(child, lines) ? WasKilled : CannotStart
    throw new Fault(`The database did not start: ${lines.join(' ')}`)
  }
  return { child, ready: requireReady(), ended }
}

function createPauses({ pauseMs, longestPauseMs, wellMs }: ServerTimes): (ranMs: number) => number {
  let next = 0
  return (ranMs) => {
    const pause = ranMs >= wellMs ? 0 : next
    next = Math.min(longestPauseMs, Math.max(pauseMs, pause * 2))
    return pause
  }
}

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
    // Give clients a moment to disconnect, then drop the remaining connections, then stop immediately.
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
        ? 'the database ended unexpectedly; starting it again'
        : `the database ended unexpectedly; starting it again in ${pause / 1_000} s`,
    )
    await sleep(pause, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    await begin().catch((err) => signal.aborted || log.error({ err }, 'the database could not be started again'))
  }
}
