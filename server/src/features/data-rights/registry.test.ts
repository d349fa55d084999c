import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { registry } from './registry.ts'

interface Column {
  table: string
  name: string
  type: string
  /** What the foreign key does when an account is deleted; null without a foreign key. */
  onDelete: 'c' | 'n' | 'a' | null
}

let database: TestDatabase
let columns: Column[]
beforeAll(async () => {
  database = await createTestDatabase()
  const client = new pg.Client(database.config)
  await client.connect()
  const { rows } = await client.query<Column>(`
    select c.table_name as table, c.column_name as name, c.data_type as type,
      (select f.confdeltype from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey)
       where f.contype = 'f' and f.conrelid = format('public.%I', c.table_name)::regclass and a.attname = c.column_name
         and f.confrelid in ('accounts'::regclass, 'profiles'::regclass, 'second_factors'::regclass) limit 1) as "onDelete"
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name not like 'kysely_%'
    order by 1, 2`)
  columns = rows
  await client.end()
})
afterAll(() => database.drop())

/** Whether a column could identify a person: ids, JSON, and text columns whose name suggests it. */
const couldName = ({ name, type, onDelete }: Column) =>
  onDelete !== null ||
  ['uuid', 'jsonb', 'json'].includes(type) ||
  (/text|char/.test(type) &&
    name !== 'file_name' &&
    /(^|_)(email|name|phone|key|link|user|person|owner|actor|target|by|address)$/.test(name))

const registered = (table: string) => [...(registry[table]?.people ?? []), ...(registry[table]?.impersonal ?? [])]

describe('the registry of personal data', () => {
  it('the registry has exactly the tables of the database', () => {
    expect(Object.keys(registry).sort()).toEqual([...new Set(columns.map(({ table }) => table))].sort())
  })

  it('the registry decides for each column that could name a person whether it does', () => {
    const unknown = columns.filter(couldName).filter(({ table, name }) => !registered(table).includes(name))
    expect(unknown.map(({ table, name }) => `${table}.${name}`)).toEqual([])
  })

  it('the registry names only existing columns', () => {
    const there = new Set(columns.map(({ table, name }) => `${table}.${name}`))
    const named = Object.entries(registry).flatMap(([table, { exports }]) => {
      const parts = 'nothing' in exports ? [] : [exports].flat()
      const own = parts.flatMap((part) => [...part.columns, ...(Array.isArray(part.own) ? part.own : [])])
      return [...registered(table), ...own].map((name) => `${table}.${name}`)
    })
    expect(named.filter((name) => !there.has(name))).toEqual([])
  })

  it('the registry decides for each column of an exported table whether to export it', () => {
    const untold = columns.filter(({ table, name }) => {
      const exports = registry[table]?.exports
      if (!exports || 'nothing' in exports) return false
      const parts = [exports].flat()
      // A column with an id identifies the row's owner, or the export replaces it with a name. All other personal
      // columns must be exported or deliberately left out.
      const used = parts.map(({ own, other, more }) => JSON.stringify([own, other, more])).join()
      const listed = parts.flatMap((part) => [...part.columns, ...(part.left ?? [])])
      return !listed.includes(name) && !registry[table]?.impersonal?.includes(name) && !used.includes(name)
    })
    expect(untold.map(({ table, name }) => `${table}.${name}`)).toEqual([])
  })

  it('the registry relies on the database only where a foreign key cascades', () => {
    const wrong = Object.entries(registry).filter(([table, { erased, people }]) => {
      const keys = columns.filter((column) => column.table === table && column.onDelete === 'c')
      const free = columns.filter(
        (column) => column.table === table && people.includes(column.name) && !column.onDelete,
      )
      if (erased === 'goes with the account') return table !== 'accounts' && keys.length === 0
      return typeof erased === 'object' && 'kept' in erased && keys.length > 0 && free.length === 0
    })
    expect(wrong.map(([table]) => table)).toEqual([])
  })

  it("an export doesn't reveal to an unseen person that nobody sees them", () => {
    const { accounts, profiles } = registry
    const columnsOf = (one: typeof accounts) => ((one?.exports ?? {}) as { columns: string[] }).columns
    expect([columnsOf(accounts).includes('unseen'), columnsOf(profiles).includes('hidden')]).toEqual([false, false])
  })

  it('an export includes no hashes of passwords, codes or tokens', () => {
    const exported = Object.values(registry).flatMap(({ exports }) =>
      'nothing' in exports ? [] : [exports].flat().flatMap((part) => part.columns),
    )
    expect(exported.filter((name) => /hash|token|secret|sha256/.test(name))).toEqual([])
  })
})
