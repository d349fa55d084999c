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

async function tablesOf(client: pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely_%' order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function rowsOf({ platform }: Pick<TestApp, 'platform'>): Promise<Rows> {
  const { host, user, database } = platform.pool.options
  const client = new pg.Pool({ ...(host && { host }), ...(user && { user }), ...(database && { database }), max: 2 })
  client.on('error', () => undefined)
  const tables = await tablesOf(client)
  return {
    keep: async () => {
      await client.query('drop schema if exists kept cascade; create schema kept')
      for (const table of tables) await client.query(`create table kept.${table} as table ${table}`)
    },
    restore: async () => {
      const put = tables.map(
        (table) => `delete from ${table}; insert into ${table} overriding system value table kept.${table};`,
      )
      // One message is one transaction.
      await client.query(`set local session_replication_role = replica; ${put.join(' ')}`)
    },
    read: async () => {
      const found = new Map<string, string[]>()
      for (const table of tables.filter((name) => !unread.includes(name))) {
        const { rows } = await client.query<{ row: string }>(
          `select (to_jsonb(t) - '${moments}'::text[])::text as row from ${table} t order by 1`,
        )
        found.set(
          table,
          rows.map(({ row }) => row),
        )
      }
      return found
    },
    query: async (text, values) => (await client.query(text, values)).rows,
    close: () => client.end(),
  }
}
