import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../../tools/ports.ts'
import { programsPath } from './programs.ts'
import { standstillMs } from './standstill.ts'

export const login = 'duet_web'

/** The statement an operator runs once the first start has created `duet_app`. */
export const allowLogin = [
  'grant duet_app to duet_web',
  `alter role duet_web set statement_timeout = '5s'`,
  `alter role duet_web set lock_timeout = '2s'`,
  `alter role duet_web set idle_in_transaction_session_timeout = '10s'`,
  `alter role duet_web set timezone = 'UTC'`,
  'alter role duet_web set jit = off',
]

export interface Pooler {
  host: string
  port: number
}

const settings = (folder: string, postgres: string, port: number, mode: string) => `
[databases]
* = host=${postgres} user=${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 40 : 10}
max_client_conn = 2000
max_db_connections = 0
logfile = ${join(folder, 'log')}
`

async function answers(port: number, child: ChildProcess): Promise<void> {
  for (const since = Date.now(); Date.now() - since < standstillMs; ) {
    if (child.exitCode !== null) break
    const client = new pg.Client({ host: '127.0.0.1', port, user: login, database: 'postgres' })
    client.on('error', () => undefined)
    const there = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => undefined)
    if (there) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('PgBouncer does not answer')
}

/** PgBouncer runs as another user, and our PostgreSQL admits only our own user until it restarts. */
function allowOtherUsers(postgres: string): void {
  const rules = join(postgres, 'pg_hba.conf')
  if (!existsSync(rules)) return
  writeFileSync(rules, `local all ${login} trust\n${readFileSync(rules, 'utf8')}`)
  process.kill(Number(readFileSync(join(postgres, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGHUP')
}

/**
 * Starts a PgBouncer for every database of the server whose socket is in `postgres`, using the application's login.
 * Runs it as the socket's owner, because PgBouncer refuses to run as root.
 */
export async function startPgbouncer(
  mode: 'session' | 'transaction',
  postgres: string,
  folder: string,
): Promise<Pooler & { stop(): Promise<void> }> {
  const { uid, gid } = statSync(postgres)
  const own = mkdtempSync(join(folder, 'pgbouncer-'))
  const port = await freePort()
  const file = join(own, 'pgbouncer.ini')
  writeFileSync(file, settings(own, postgres, port, mode))
  for (const path of [own, file]) chownSync(path, uid, gid)
  allowOtherUsers(postgres)
  // Lets that user reach the socket.
  chmodSync(folder, 0o711)
  const child = spawn('pgbouncer', [file], { uid, gid, stdio: 'ignore', env: { PATH: programsPath } })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(own, { recursive: true, force: true })
  }
  try {
    await answers(port, child)
  } catch (error) {
    await stop()
    throw error
  }
  return { host: '127.0.0.1', port, stop }
}
