import pg from 'pg'
import { ownerOf, type TestApp } from '../app.ts'

export interface Rows {
  keep(): Promise<void>
  restore(): Promise<void>
  /** Every row as JSON, by table, in a fixed order, without columns that are updated in the background. */
  read(): Promise<Map<string, string[]>>
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** Distinguishes the tests' own connections from the server's. */
export const testRows = 'rows of a test'

/**
 * Columns that are updated in the background: when a session was used, how often something was tried, what ranking
 * learned.
 */
const moments = `{last_seen_at,idle_expires_at,last_active_at}`
const unread = ['rate_limits', 'standings', 'candidate_changes']

interface Table {
  name: string
  /** The writable columns; the database generates the others. */
  columns: string
  key: string
}

async function tablesOf(client: pg.Pool): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select quote_ident(table_name) as name, string_agg(quote_ident(column_name), ', ') as columns,
       (select string_agg(quote_ident(attname), ', ') from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
        where indrelid = quote_ident(table_name)::regclass and indisprimary) as key
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

/** The newest transaction id for which it and all earlier transactions have ended. */
const newestSettled = '(pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid'

/**
 * Builds a database function, so that its many statements are planned only once. In each table it restores rows that
 * changed or disappeared since the snapshot.
 */
function restoring(tables: readonly Table[]): string {
  const put = tables.map(
    ({ name, columns, key }) => `
    select since, rows into kept_since, kept_rows from kept.tables where name = '${name}';
    if (select count(*) <> kept_rows or bool_or(age(xmin) < age(kept_since)) from ${name}) then
      delete from ${name} where age(xmin) < age(kept_since) or (${key}) not in (select ${key} from kept.${name});
      insert into ${name} (${columns}) overriding system value
        select ${columns} from kept.${name} where (${key}) not in (select ${key} from ${name});
      update kept.tables set since = ${newestSettled} where name = '${name}';
    end if;`,
  )
  return `create function kept.restore() returns void language plpgsql as $$ declare kept_since xid; kept_rows bigint; begin
    set local session_replication_role = replica;
    -- So that \`not in\` is a hash, however many rows there are.
    set local work_mem = '256MB'; ${put.join('')} end $$`
}

export async function rowsOf({ platform }: Pick<TestApp, 'platform'>): Promise<Rows> {
  const { host, user, database } = ownerOf(platform)
  const client = new pg.Pool({
    ...(host && { host }),
    ...(user && { user }),
    ...(database && { database }),
    max: 2,
    application_name: testRows,
  })
  client.on('error', () => undefined)
  const tables = await tablesOf(client)
  return {
    keep: async () => {
      await client.query('drop schema if exists kept cascade; create schema kept')
      await client.query('create table kept.tables (name text, since xid, rows bigint)')
      for (const { name } of tables) {
        await client.query(
          `insert into kept.tables (name, since) values ('${name}', ${newestSettled});
          create table kept.${name} as table ${name};
          update kept.tables set rows = (select count(*) from kept.${name}) where name = '${name}'`,
        )
      }
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
