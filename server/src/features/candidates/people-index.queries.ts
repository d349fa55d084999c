import { sql } from 'kysely'
import type pg from 'pg'
import { type Db, historyOf } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import { apart, isQuiet } from './fits.queries.ts'
import type { TextRow } from './people-index.ts'

const days = (date: string) => `${date} - date '1970-01-01'`
const personColumns = `c.user_id, c.cell, c.latitude, c.longitude, c.gender, c.seeks, ${days('c.birth_date')}, c.age_min, c.age_max,
  c.reach, c.traits, c.refuses, c.avoids, c.languages, c.needs_languages, c.height, c.height_min, c.height_max, c.interests_1,
  c.interests_2, ${days('c.active_on')}, ${days('c.since')}, (${isQuiet})::integer`
const tallyColumns = `coalesce(s.says_yes, 0), coalesce(s.is_liked, 0), coalesce(s.pending, 0),
  coalesce(extract(epoch from s.pending_at)::float8, 0), coalesce(s.impressions, 0)`

/** Leaves values as text: they are converted to numbers only when they are stored in typed arrays. */
const asText = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } } as const

async function textRows(on: pg.Pool | pg.PoolClient, query: { name?: string; text: string; values?: unknown[] }) {
  const { rows } = await on.query<string[], never>({ ...query, ...asText } as never)
  return rows as TextRow[]
}

/** How current a read is: its snapshot, the database's time in seconds, and the history that both belong to. */
export interface Seen {
  snapshot: string
  at: number
  history: string
}

const now = `pg_current_snapshot()::text, extract(epoch from now())::float8, ${historyOf}`
const seenIn = (row: TextRow | undefined): Seen => ({
  snapshot: row?.[0] as string,
  at: Number(row?.[1]),
  history: row?.[2] as string,
})

export interface PeopleReader {
  /**
   * Receives the number of visible people, the number of profiles, and the current day since 1970. Returns whether to
   * read the people.
   */
  start(found: { people: number; profiles: number; day: number }): boolean
  person(row: TextRow): void
  tally(row: TextRow): void
}

/** Small enough that processing a page doesn't delay requests. */
const pageSize = 1_000

async function readAll(client: pg.PoolClient, text: string, take: (row: TextRow) => void): Promise<void> {
  await client.query(`declare reading no scroll cursor for ${text}`)
  for (let read = pageSize; read === pageSize; ) {
    const rows = await textRows(client, { text: `fetch ${pageSize} from reading` })
    for (const row of rows) take(row)
    read = rows.length
  }
  await client.query('close reading')
}

/** Runs `read` in one database snapshot. */
async function inSnapshot<T>(pool: pg.Pool, read: (client: pg.PoolClient, seen: Seen) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local statement_timeout = '60s'; set local cursor_tuple_fraction = 1`)
    return await read(client, seenIn((await textRows(client, { text: `select ${now}` }))[0]))
  } finally {
    await client.query('rollback').then(
      () => client.release(),
      (error) => client.release(error),
    )
  }
}

/**
 * Reads all visible people and their tallies in one snapshot, page by page, ordered by cell. Returns undefined if
 * `start` returns false.
 */
export function readPeople(pool: pg.Pool, reading: PeopleReader): Promise<Seen | undefined> {
  return inSnapshot(pool, async (client, seen) => {
    const text = 'select (select count(*) from candidates), (select count(*) from profiles)'
    const [people = 0, profiles = 0] = ((await textRows(client, { text }))[0] ?? []).map(Number)
    if (!reading.start({ people, profiles, day: Math.floor(seen.at / 86_400) })) return undefined
    const order = 'order by c.cell, c.gender, c.active_on desc'
    await readAll(client, `select ${personColumns} from candidates c ${order}`, reading.person)
    await readAll(client, `select s.user_id, ${tallyColumns} from standings s`, reading.tally)
    return seen
  })
}

/**
 * Matches rows that a snapshot ($1) didn't see because they were committed later, in any order. If the row's
 * transaction number lies in the future, the row comes from another database that this one was restored from.
 */
const unseen = (table: string) => `${table}.changed >= pg_snapshot_xmin($1::pg_snapshot)
  and not pg_visible_in_snapshot(${table}.changed, $1::pg_snapshot) and ${table}.changed < pg_snapshot_xmax(pg_current_snapshot())`

export interface Changes {
  seen: Seen
  /** Complete rows, or just the id for people who are no longer visible. */
  people: TextRow[]
  /** There are too many changes to apply one by one. */
  tooMany: boolean
}

/** Returns the current rows of the people who changed since a snapshot. */
export async function findChangedPeople(pool: pg.Pool, since: string, most: number): Promise<Changes> {
  const text = `select ${now}, x.is_there, x.user_id, ${personColumns}, ${tallyColumns}
    from (select 1) one
    left join (select distinct user_id, true as is_there from candidate_changes where ${unseen('candidate_changes')} limit $2) x on true
    left join candidates c on c.user_id = x.user_id left join standings s on s.user_id = x.user_id`
  const rows = await textRows(pool, { name: 'candidate-changes', text, values: [since, most + 1] })
  const changed = rows.filter((row) => row[3] !== null)
  const tooMany = changed.length > most || changed.some((row) => row[4] === null)
  const people = changed.map((row) => (row[5] === null ? [row[4] as string] : row.slice(5)))
  return { seen: seenIn(rows[0]), people, tooMany }
}

export async function findTallies(pool: pg.Pool, since: string, most: number): Promise<Changes> {
  const text = `select ${now}, s.user_id, ${tallyColumns} from (select 1) one
    left join (select * from standings where ${unseen('standings')} limit $2) s on true`
  const rows = await textRows(pool, { name: 'tally-changes', text, values: [since, most + 1] })
  const people = rows.filter((row) => row[3] !== null).map((row) => row.slice(3))
  return { seen: seenIn(rows[0]), people, tooMany: people.length > most }
}

/** Reads all changed tallies page by page, for example after nightly training. Returns the snapshot that was read. */
export function readTallies(pool: pg.Pool, since: string, tally: (row: TextRow) => void): Promise<Seen> {
  return inSnapshot(pool, async (client, seen) => {
    const changed = unseen('s').replaceAll('$1', client.escapeLiteral(since))
    await readAll(client, `select s.user_id, ${tallyColumns} from standings s where ${changed}`, tally)
    return seen
  })
}

/**
 * Returns, as bytes, the ids of people separated from a viewer by a block or an ended match, and of people they decided
 * on after `since`.
 */
export async function findRelations(pool: pg.Pool, viewerId: string, since: string) {
  const text = `select (select string_agg(uuid_send(a.id), ''::bytea) from (${apart}) as a (id)),
    (select string_agg(uuid_send(target_id), ''::bytea) from decisions where actor_id = $1 and decided_at > $2::timestamptz)`
  const [row] = await textRows(pool, { name: 'candidate-relations', text, values: [viewerId, since] })
  const bytes = (column: number) => Buffer.from(row?.[column]?.slice(2) ?? '', 'hex')
  return { apart: bytes(0), decided: bytes(1) }
}

/** Deletes changes so old that every index has applied them. */
export function deleteChanges(db: Db, olderThan: number): Promise<void> {
  return inBatches(async (most) => {
    const { numAffectedRows } = await sql`
      delete from candidate_changes where ctid = any(array(
        select ctid from candidate_changes where changed_at < now() - make_interval(secs => ${olderThan})
        order by changed_at limit ${most}))`.execute(db)
    return Number(numAffectedRows)
  })
}
