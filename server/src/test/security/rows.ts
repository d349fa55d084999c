import pg from 'pg'
import type { TestApp } from '../app.ts'

/** Everything the database of a test app holds, as its owner sees it. */
export interface Rows {
  /** Remembers everything as it is now. */
  keep(): Promise<void>
  /** Puts everything back as it was kept. */
  restore(): Promise<void>
  /** Every row as JSON, by table, in a fixed order. What changes by itself is left out. */
  read(): Promise<Map<string, string[]>>
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** What changes by itself or a moment later: when a session was used, how often something was tried, what is learned. */
const moments = `{last_seen_at,idle_expires_at,last_active_at}`
const unread = ['rate_limits', 'standings', 'candidate_changes']

interface Table {
  name: string
  /** Those that are written; others the database makes of them. */
  columns: string
}

async function tablesOf(client: pg.Pool): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select quote_ident(table_name) as name, string_agg(quote_ident(column_name), ', ') as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely_%'
       and is_generated = 'NEVER' group by table_name order by table_name`,
  )
  return rows
}

function grouped(rows: readonly { name: string; row: string }[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { name, row } of rows) found.set(name, [...(found.get(name) ?? []), row])
  return found
}

/** A function, so that its many statements are planned once. */
function restoring(tables: readonly Table[]): string {
  const put = tables.map(
    ({ name, columns }) =>
      `delete from ${name}; insert into ${name} (${columns}) overriding system value select ${columns} from kept.${name};`,
  )
  return `create function kept.restore() returns void language plpgsql as $$ begin
    set local session_replication_role = replica; ${put.join(' ')} end $$`
}

export async function rowsOf({ platform }: Pick<TestApp, 'platform'>): Promise<Rows> {
  const { host, user, database } = platform.pool.options
  const client = new pg.Pool({ ...(host && { host }), ...(user && { user }), ...(database && { database }), max: 2 })
  client.on('error', () => undefined)
  const tables = await tablesOf(client)
  return {
    keep: async () => {
      await client.query('drop schema if exists kept cascade; create schema kept')
      for (const { name } of tables) await client.query(`create table kept.${name} as table ${name}`)
      await client.query(restoring(tables))
    },
    restore: async () => void (await client.query('select kept.restore()')),
    read: async () => {
      const parts = tables
        .filter(({ name }) => !unread.includes(name))
        .map(({ name }) => `select '${name}' as name, (to_jsonb(t) - '${moments}'::text[])::text as row from ${name} t`)
      const { rows } = await client.query<{ name: string; row: string }>(`${parts.join(' union all ')} order by 1, 2`)
      return grouped(rows)
    },
    query: async (text, values) => (await client.query(text, values)).rows,
    close: () => client.end(),
  }
}
