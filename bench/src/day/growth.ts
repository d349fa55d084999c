import pg from 'pg'
import { joinEmbeddedPostgres } from '../../../server/src/platform/database/embedded-postgres.ts'

/** The size of each table with its indexes, and the write-ahead log written so far, in bytes. */
export interface Sizes {
  tables: Map<string, number>
  log: number
}

const log = { debug() {}, info() {}, warn() {}, error: console.error }
/** The suffix of monthly partitions, which are counted as one table. */
const month = /_\d{4}_?\d{2}$/

export async function sizesOf(dataDir: string): Promise<Sizes> {
  const joined = await joinEmbeddedPostgres({ dataDir, log })
  const owner = new pg.Client(joined.connection)
  try {
    await owner.connect()
    const { rows } = await owner.query<{ name: string; bytes: number; log: number }>(`
      select c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes,
        (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as log
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`)
    const tables = new Map<string, number>()
    for (const { name, bytes } of rows) {
      const table = name.replace(month, '')
      tables.set(table, (tables.get(table) ?? 0) + bytes)
    }
    return { tables, log: rows[0]?.log ?? 0 }
  } finally {
    await owner.end()
    await joined.stop()
  }
}

/** What each person's day added, in KB: to each table that grew, largest first, and to the write-ahead log. */
export function growthOf(before: Sizes, after: Sizes, days: number): { tables: [string, number][]; logKb: number } {
  const kb = (bytes: number) => Math.round((bytes / days / 1024) * 10) / 10
  const tables = [...after.tables].map(([name, bytes]): [string, number] => [
    name,
    kb(bytes - (before.tables.get(name) ?? 0)),
  ])
  return {
    tables: tables.filter(([, grown]) => grown > 0).sort(([, one], [, other]) => other - one),
    logKb: kb(after.log - before.log),
  }
}
