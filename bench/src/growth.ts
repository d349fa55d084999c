import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { seedPeople, seedSessions } from '../../server/src/demo/population.ts'
import { connect, connectOwner, migrate } from '../../server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { createSessions } from '../../server/src/platform/security/session.ts'
import { report } from '../../tools/report.ts'

/*
 * Measures the write-ahead log that recording people's activity takes, in bytes per person and hour with a request
 * every minute. For comparison, it also updates the session and the profile every minute. Checkpoints run every 5
 * minutes, as usual, because the first change of a page after a checkpoint writes the whole page.
 */
const people = 4_000
const hour = 60
const checkpointEvery = 5
const log = { debug() {}, info() {}, warn() {}, error: console.error }

const everyMinute = `
  with touched as (
    update sessions s set last_seen_at = $2, idle_expires_at = least(s.expires_at, $2::timestamptz + interval '7 days')
    where s.token_hash = any(array(select sha256(convert_to(token, 'UTF8')) from unnest($1::text[]) as token)) returning s.user_id)
  update profiles p set last_active_at = $2 from touched where p.user_id = touched.user_id`

const dataDir = mkdtempSync(join(tmpdir(), 'duet-growth-'))
const postgres = await startEmbeddedPostgres({ dataDir, log })
try {
  await migrate(postgres.connection)
  const seeding = connectOwner(postgres.connection, () => undefined)
  await seedPeople(seeding.db, people, 1, () => undefined)
  const tokens = (await seedSessions(seeding.db, people, 1)).map(({ token }) => token)
  await seeding.pool.end()
  const owner = new pg.Client(postgres.connection)
  await owner.connect()
  const { pool } = connect(postgres.connection, () => undefined)

  const written = async () => {
    const { rows } = await owner.query<{ bytes: number }>(
      `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`,
    )
    return rows[0]?.bytes ?? 0
  }
  /** Returns the bytes per person written in an hour that begins `from` hours from now. Calls `note` every minute. */
  async function hourOf(from: number, note: (now: Date) => Promise<unknown>): Promise<number> {
    const began = Math.ceil(Date.now() / 3_600_000) + from
    const before = await written()
    for (let minute = 0; minute < hour; minute++) {
      if (minute % checkpointEvery === 0) await owner.query('checkpoint')
      await note(new Date(began * 3_600_000 + minute * 60_000))
    }
    return Math.round(((await written()) - before) / people)
  }

  // Create a new instance each minute, so that its cache is empty.
  const ours = (now: Date) => {
    const sessions = createSessions(pool, { now: () => now }, false)
    return Promise.all(tokens.map((token) => sessions.find(token)))
  }
  const naive = (now: Date) => owner.query(everyMinute, [tokens, now])
  await owner.query('vacuum analyze')
  // The first hour of each way isn't counted, because it makes room on the pages.
  await hourOf(0, naive)
  const one = await hourOf(1, naive)
  await hourOf(2, ours)
  const other = await hourOf(3, ours)
  const note = `${people} people who ask something every minute for an hour; noted every minute in both rows ${one} bytes`
  report('growth', [
    { id: 'W1.presence_bytes', value: other, target: 'told', note },
    { id: 'W1.presence_ratio', value: Math.round((one / other) * 10) / 10, target: '>= 5', note },
  ])
  await pool.end()
  await owner.end()
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
