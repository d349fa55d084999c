import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart, claimant, claimDataDir, WasKilled } from './data-dir.ts'
import type { Logger } from './logger.ts'
import { databaseUser, postgresBinaries } from './postgres-binaries.ts'
import { type Cluster, makeCluster, ownerRole, pathWithin, stopLeftover, wasKilled } from './postgres-cluster.ts'

export interface EmbeddedPostgres {
  /** The owner's connection; `host` is the folder of the socket, which only the owner can enter. */
  connection: { host: string; user: string; database: string }
  /** Ends it cleanly; returns when it has ended. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  /** False: faster, and a crash of the machine may lose everything. For tests. */
  durable?: boolean
  /** Settings over ours, as for a server with more room. For benches. */
  settings?: Readonly<Record<string, string>>
}

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
}
const forgetful = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

// PostgreSQL would outlive a parent that is killed. Line 3 closes with the parent, and then it is told to stop.
const withLifeline = `main=$$
({ read -r word <&3; [ -n "$word" ] || kill -INT "$main"; } >/dev/null 2>&1 &)
exec "$@" 3<&-`

const startLimitMs = 60_000
const mostStarts = 5

/**
 * Runs the PostgreSQL of `dataDir`, and makes it first when there is none. As root it runs as another user. Cleans up
 * after whatever was killed before. Throws `CannotStart` with one line for people.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const folder = join(dataDir, 'postgres')
  const claim = await claimDataDir(dataDir)
  try {
    const runAs = databaseUser(folder)
    const cluster = { folder, runAs, binaries: postgresBinaries(runAs), durable: options.durable ?? true }
    await unlessKilled(options.log, () => makeCluster(cluster))
    const stop = await supervise({ ...cluster, own: options.settings ?? {} }, options.log)
    const address = socketFolder(folder)
    claim.announce(address.host)
    return {
      connection: { host: address.host, user: ownerRole, database: 'postgres' },
      async stop() {
        await stop()
        address.forget()
        claim.release()
      },
    }
  } catch (error) {
    claim.release()
    throw error
  }
}

/** The same, or the one that another process already runs there; that one goes on running after `stop`. */
export async function joinEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  for (let claim = claimant(dataDir); claim; claim = claimant(dataDir)) {
    const { host } = claim
    if (host) return { connection: { host, user: ownerRole, database: 'postgres' }, stop: async () => {} }
    await sleep(50)
  }
  return startEmbeddedPostgres(options)
}

// The path of a socket is at most 107 bytes long (103 on macOS): a longer folder gets a short name.
function socketFolder(folder: string): { host: string; forget(): void } {
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= 103) return { host: folder, forget: () => {} }
  const short = mkdtempSync(join(tmpdir(), 'duet-'))
  symlinkSync(folder, join(short, 's'))
  return { host: join(short, 's'), forget: () => rmSync(short, { recursive: true, force: true }) }
}

/** A cluster with the settings that go over ours. */
type Settled = Cluster & { own: Readonly<Record<string, string>> }

function launch({ folder, binaries, runAs, durable, own }: Settled): ChildProcess {
  const chosen = Object.entries({ ...settings, ...(durable ? {} : forgetful), ...own })
  const postgres = [join(binaries, 'bin/postgres'), '-D', pathWithin(folder, runAs)]
  const args = chosen.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn('/bin/sh', ['-c', withLifeline, 'sh', ...postgres, ...args], {
    cwd: folder,
    ...runAs,
    detached: true, // Ctrl-C is for us: we stop the database when nobody needs it any more.
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
}

interface Running {
  child: ChildProcess
  ended: Promise<void>
}

function record(line: string, log: EmbeddedPostgresOptions['log']): void {
  if (line.startsWith('PANIC')) log.error(`postgres: ${line}`)
  else if (/^(FATAL|WARNING)/.test(line)) log.warn(`postgres: ${line}`)
  else log.debug(`postgres: ${line}`)
}

/** Does it again when it was killed, a few times: on a machine that is short of memory the next try may do better. */
async function unlessKilled<T>(log: EmbeddedPostgresOptions['log'], act: () => Promise<T>): Promise<T> {
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

/** Starts the server once nothing of an earlier one runs any more; returns when it takes connections. */
async function run(cluster: Settled, log: EmbeddedPostgresOptions['log']): Promise<Running> {
  await stopLeftover(cluster.folder)
  const child = launch(cluster)
  const [, , stderr, lifeline] = child.stdio as unknown as [null, null, Readable, Writable]
  lifeline.on('error', () => {})
  const ended = new Promise<void>((settle) => child.once('exit', () => settle()).once('error', () => settle()))
  void ended.then(() => lifeline.end('over\n'))
  const lines: string[] = []
  const outcome = await new Promise<'ready' | 'over' | 'late'>((settle) => {
    const timer = setTimeout(settle, startLimitMs, 'late')
    const output = createInterface(stderr).on('line', (line) => {
      if (lines.length < 20) lines.push(line)
      record(line, log)
      if (!line.includes('ready to accept connections')) return
      clearTimeout(timer)
      settle('ready')
    })
    output.once('close', () => settle('over'))
  })
  if (outcome === 'ready') return { child, ended }
  if (outcome === 'late') child.kill('SIGQUIT')
  else await ended
  const Fault = outcome === 'over' && wasKilled(child, lines) ? WasKilled : CannotStart
  throw new Fault(`The database did not start: ${lines.join(' ')}`)
}

/** Keeps the server running until the returned function is called: one that dies is started again. */
async function supervise(cluster: Settled, log: EmbeddedPostgresOptions['log']): Promise<() => Promise<void>> {
  let current = await unlessKilled(log, () => run(cluster, log))
  let stopping = false
  const watch = async () => {
    await current.ended
    while (!stopping) {
      log.error('the database has ended by itself; starting it again')
      try {
        current = await run(cluster, log)
        if (stopping) current.child.kill('SIGINT')
        await current.ended
      } catch (error) {
        log.error({ err: error }, 'the database could not be started again')
        await sleep(500)
      }
    }
  }
  const watching = watch()
  return async () => {
    stopping = true
    // Connections that were just closed get a moment to go; those that stay are cut; then nothing is waited for.
    const cut = setTimeout(() => current.child.kill('SIGINT'), 300)
    const insist = setInterval(() => current.child.kill('SIGQUIT'), 10_000)
    current.child.kill('SIGTERM')
    await watching
    clearTimeout(cut)
    clearInterval(insist)
  }
}
