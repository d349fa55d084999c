import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from '@playwright/test'
import pg from 'pg'
import { joinEmbeddedPostgres } from '../server/src/platform/database/embedded-postgres.ts'
import type { Duet } from '../tools/server.ts'
import { browserOf, type Someone, someone } from './people.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

/** Runs an operator's command beside the running server. Returns its output and exit code. */
export async function command(duet: Duet, name: 'admin' | 'audit', ...args: string[]) {
  const env = { PATH: process.env.PATH, DATA_DIR: duet.dataDir, LOG_LEVEL: 'error' }
  const file = join(root, `server/dist/cli/${name}.js`)
  return run(process.execPath, [file, ...args], { cwd: root, env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
  )
}

export interface Moderator {
  who: Someone
  page: Page
}

export async function administrator(browser: Browser, duet: Duet, name: string): Promise<Moderator> {
  const session = await someone(duet, name)
  const { code, said } = await command(duet, 'admin', 'grant', session.email)
  if (code !== 0) throw new Error(said)
  const who = { ...session, isSuperAdmin: true }
  return { who, page: await browserOf(browser, duet, who) }
}

const nothing = () => undefined
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** Connects as the database's owner, with triggers disabled. */
export async function asOwner<T>(duet: Duet, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const { connection, stop } = await joinEmbeddedPostgres({ dataDir: duet.dataDir, log: silent })
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    return await act(client)
  } finally {
    await client.end()
    await stop()
  }
}
