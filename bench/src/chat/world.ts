import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { seedPeople, seedSessions } from '../../../server/src/demo/population.ts'
import { connectOwner, migrate } from '../../../server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../../server/src/platform/database/embedded-postgres.ts'
import { postgresProcessesOf } from '../../../server/src/platform/process/processes.ts'
import { cpuMsOf } from './cores.ts'
import type { Talker } from './load.ts'

export interface World {
  dataDir: string
  /** The product's database, for DATABASE_URL. */
  url: string
  /** A separate database for the chat with sequential queries. */
  naive: pg.ClientConfig
  talkers: Talker[]
  messages(): Promise<number>
  naiveMessages(): Promise<number>
  cpuMs(): number
  /**
   * Moves each session's last use back by ten minutes within the same day, so that each connection updates it again.
   */
  age(): Promise<void>
  /** Counts the `ids` that aren't stored exactly once in the product's database. */
  missing(ids: string[]): Promise<number>
  stop(): Promise<void>
}

const log = { debug() {}, info() {}, warn() {}, error: console.error }

async function seed(owner: pg.ClientConfig, people: number): Promise<Talker[]> {
  await migrate(owner)
  const { db, pool } = connectOwner(owner, () => undefined)
  try {
    await seedPeople(db, people, 1, () => {})
    const sessions = await seedSessions(db, people, 1)
    await pool.query('create database naive')
    await pool.query('checkpoint')
    return sessions.map(({ id, token }, place) => ({ id, token, peerId: sessions[place ^ 1]?.id ?? '' }))
  } finally {
    await pool.end()
  }
}

async function countIn(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query('select count(*)::int as messages from messages')
  return rows[0].messages
}

export async function openWorld(people: number): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'duet-chat-'))
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, log })
  const { host, user, database } = connection
  const naive = { ...connection, database: 'naive' }
  const pool = new pg.Pool({ ...connection, max: 1 })
  const naivePool = new pg.Pool({ ...naive, max: 1 })
  const end = async () => {
    await Promise.all([pool.end(), naivePool.end()])
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const talkers = await seed(connection, people)
    return {
      dataDir,
      url: `postgresql:///${database}?host=${encodeURIComponent(host)}&user=${user}`,
      naive,
      talkers,
      messages: () => countIn(pool),
      naiveMessages: () => countIn(naivePool),
      cpuMs: () => postgresProcessesOf(join(dataDir, 'postgres')).reduce((sum, pid) => sum + cpuMsOf(pid), 0),
      async age() {
        await pool.query(`update sessions set last_seen_at = now() - interval '10 minutes'`)
        await pool.query('update profiles set last_active_at = now()')
        await pool.query('checkpoint')
      },
      async missing(ids) {
        const { rows } = await pool.query(
          `select count(*)::int as missing from unnest($1::text[]) as asked (id)
           where (select count(*) from messages where client_id = asked.id) <> 1`,
          [ids],
        )
        return rows[0].missing
      },
      stop: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}
