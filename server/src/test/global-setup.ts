import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../platform/database/database.ts'
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { stopLeftover } from '../platform/database/postgres-cluster.ts'
import { claimant } from '../platform/process/data-dir.ts'
import { postgresProcessesOf } from '../platform/process/processes.ts'
import { allowLogin, login, type Pooler, startPgbouncer } from './pgbouncer.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The database server of this test run, and the migrated database that tests copy. */
    postgres: { host: string; user: string; templateDatabase: string }
    /** The folder of this run. Other runs don't touch it while it exists. */
    folder: string
    pooler: Pooler | undefined
  }
}

const prefix = 'duet-test-'
const templateDatabase = 'duet_template'
// A database has hundreds of files. On disk, creating them takes ten times as long if many were just deleted.
const memory = '/dev/shm'
const folders = existsSync(memory) ? [memory, tmpdir()] : [tmpdir()]
const log = { debug() {}, info() {}, warn() {}, error: console.error }

const wantedBytes = 3e9

/** A folder in memory if there is enough, otherwise on disk. */
function folderWithRoom(): string {
  if (!existsSync(memory) || freemem() < 2 * wantedBytes) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize < wantedBytes ? tmpdir() : memory
}

/**
 * Uses an existing server, such as another PostgreSQL version: TEST_POSTGRES=FOLDER:USER (the folder of its socket, and
 * its owner).
 */
function otherServer() {
  const [host, user] = process.env.TEST_POSTGRES?.split(':') ?? []
  return host && user ? { connection: { host, user, database: 'postgres' }, stop: async () => {} } : undefined
}

/** Starts a PgBouncer for all tests if TEST_PGBOUNCER is session or transaction. */
async function pool(mode: 'session' | 'transaction', connection: { host: string; user: string }, folder: string) {
  const owner = new pg.Client({ ...connection, database: templateDatabase })
  await owner.connect()
  for (const statement of [`create role ${login} login`, ...allowLogin]) await owner.query(statement)
  await owner.end()
  return startPgbouncer(mode, connection.host, folder)
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers()
  const dataDir = mkdtempSync(join(folderWithRoom(), prefix))
  const removeAtOnce = () => {
    for (const pid of postgresProcessesOf(join(dataDir, 'postgres'))) process.kill(pid, 'SIGKILL')
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', removeAtOnce)
  const { connection, stop } = otherServer() ?? (await startEmbeddedPostgres({ dataDir, log, durable: false }))
  const admin = new pg.Client(connection)
  await admin.connect()
  await admin.query(`drop database if exists ${templateDatabase}`)
  await admin.query(`create database ${templateDatabase}`)
  await admin.end()
  await migrate({ ...connection, database: templateDatabase })
  project.provide('postgres', { host: connection.host, user: connection.user, templateDatabase })
  project.provide('folder', dataDir)
  const mode = process.env.TEST_PGBOUNCER as 'session' | 'transaction' | undefined
  const pooler = mode && (await pool(mode, connection, dataDir))
  project.provide('pooler', pooler && { host: pooler.host, port: pooler.port })
  return async () => {
    await pooler?.stop()
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
    process.off('exit', removeAtOnce)
  }
}

const runsIn = (folder: string) =>
  readdirSync(folder)
    .filter((entry) => entry.startsWith(prefix))
    .map((entry) => join(folder, entry))

// Removes the folders of runs that were killed before their teardown.
async function removeLeftovers(): Promise<void> {
  for (const dataDir of folders.flatMap(runsIn)) {
    // A recently changed folder may belong to a run that is about to remove it.
    const fresh = Date.now() - (statSync(dataDir, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) < 60_000
    if (fresh || claimant(dataDir)) continue
    await stopLeftover(join(dataDir, 'postgres'))
    rmSync(dataDir, { recursive: true, force: true })
  }
}
