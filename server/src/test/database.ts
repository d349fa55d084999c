import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  /** The owner's connection. */
  config: { host: string; user: string; database: string }
  /** Removes it; connections that are still open are cut. */
  drop(): Promise<void>
}

async function asOwner(command: string): Promise<void> {
  const { host, user } = inject('postgres')
  const client = new pg.Client({ host, user, database: 'postgres' })
  await client.connect()
  try {
    await client.query(command)
  } finally {
    await client.end()
  }
}

/** A database with nothing in it, not even a schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const { host, user } = inject('postgres')
  const database = `test_${randomBytes(8).toString('hex')}`
  await asOwner(`create database ${database}`)
  return { config: { host, user, database }, drop: () => asOwner(`drop database if exists ${database} with (force)`) }
}

/** A migrated, empty database for one test file. */
export const createTestDatabase = (): Promise<TestDatabase> => copyOf(inject('postgres').templateDatabase)

/** A copy of a database that nobody is connected to. */
export const copyDatabase = ({ config }: TestDatabase): Promise<TestDatabase> => copyOf(config.database)

async function copyOf(template: string): Promise<TestDatabase> {
  const { host, user } = inject('postgres')
  const database = `test_${randomBytes(8).toString('hex')}`
  // Copying files is a fifth of the work of writing them to the log first, which is never read here.
  await asOwner(`create database ${database} template ${template} strategy file_copy`)
  return { config: { host, user, database }, drop: () => asOwner(`drop database if exists ${database} with (force)`) }
}
