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

/** Where the database of an app is. */
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

/** Databases with nothing in them at all, and how to drop every one of them. */
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

/** Runs a command of the product as an operator does, as a process of its own. */
export async function runCommand(name: string, args: string[], dataDir: string, to: Address): Promise<Ended> {
  const { host, user, database } = to
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: `postgres:///${database}?host=${host}&user=${user}` }
  const command = ['--import', 'tsx', `server/src/cli/${name}.ts`, ...args]
  return promisify(execFile)(process.execPath, command, { env }).then(
    (ended) => ({ code: 0, ...ended }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  )
}
