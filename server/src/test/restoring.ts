import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import pg from 'pg'
import { inject } from 'vitest'
import { ownerOf, type TestApp } from './app.ts'

export interface Address {
  host: string
  user: string
  database: string
}

export function databaseOf({ platform }: TestApp): Address {
  const { host, user, database } = ownerOf(platform)
  return { host: String(host), user: String(user), database: String(database) }
}

async function inPostgres(statement: string): Promise<void> {
  const { host, user } = inject('postgres')
  const client = new pg.Client({ host, user, database: 'postgres' })
  await client.connect()
  await client.query(statement)
  await client.end()
}

export function newDatabases() {
  const made: string[] = []
  return {
    async make(): Promise<Address> {
      const { host, user } = inject('postgres')
      const database = `test_${randomBytes(8).toString('hex')}`
      await inPostgres(`create database ${database}`)
      made.push(database)
      return { host, user, database }
    },
    async drop() {
      for (const database of made) await inPostgres(`drop database if exists ${database} with (force)`)
    },
  }
}

interface Ended {
  code: number
  stdout: string
  stderr: string
}

export async function runCommand(name: string, args: string[], dataDir: string, to: Address): Promise<Ended> {
  const { host, user, database } = to
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: `postgres:///${database}?host=${host}&user=${user}` }
  const command = ['--import', 'tsx', `server/src/cli/${name}.ts`, ...args]
  return promisify(execFile)(process.execPath, command, { env }).then(
    (ended) => ({ code: 0, ...ended }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  )
}
/** Every row of every table as text, in a fixed order. Leaves out transaction ids, which have no meaning elsewhere. */
export async function rowsIn(config: pg.ClientConfig): Promise<Map<string, string[]>> {
  const client = new pg.Client(config)
  await client.connect()
  await client.query(`set timezone = 'UTC'`)
  const { rows: tables } = await client.query<{ name: string; numbers: string[] }>(
    `select c.relname as name,
       array(select attname::text from pg_attribute where attrelid = c.oid and atttypid = 'xid8'::regtype) as numbers
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and c.relname not like 'kysely_%' order by 1`,
  )
  const found = new Map<string, string[]>()
  for (const { name, numbers } of tables) {
    const text = `select (to_jsonb(t) - $1::text[])::text as row from "${name}" t order by 1`
    const { rows } = await client.query<{ row: string }>(text, [numbers])
    found.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  await client.end()
  return found
}
