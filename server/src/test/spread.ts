import type { Pool } from 'pg'
import { spreadBy } from './plan-keys.ts'

// What Citus refuses of a table that is to be spread over machines by one of its columns, from the catalog: triggers, unique
// indexes without that column, foreign keys but those within what is spread together, and cursors that count transactions,
// which each machine does for itself. All were met when version 13 was tried.

/** Why a table can't be spread, in words. */
export type Reasons = string[]

const conversationTables = new Set(['conversations', 'messages', 'attachments', 'matches'])
/** Tables are spread together where their columns mean the same: a conversation's rows are where its id is. */
const familyOf = (table: string) =>
  conversationTables.has(table) ? 'conversation' : table === 'sessions' ? 'token' : 'person'

const triggersOf = `select tgname as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal order by 1`
const uniquesOf = `
  select relname as name, array(select attname::text from pg_attribute
    where attrelid = indrelid and attnum = any(indkey::int2[])) as columns
  from pg_index join pg_class on oid = indexrelid where indrelid = $1::regclass and indisunique order by 1`
const foreignKeysOf = `
  select confrelid::regclass::text as target,
    array(select attname::text from unnest(conkey) with ordinality k (number, nth)
      join pg_attribute on attrelid = conrelid and attnum = k.number order by nth) as columns,
    array(select attname::text from unnest(confkey) with ordinality k (number, nth)
      join pg_attribute on attrelid = confrelid and attnum = k.number order by nth) as targets
  from pg_constraint where contype = 'f' and conrelid = $1::regclass order by 1, 2`
const cursorsOf = `
  select attname as name from pg_attribute
  where attrelid = $1::regclass and atttypid = 'xid8'::regtype and not attisdropped order by 1`

interface ForeignKey {
  target: string
  columns: string[]
  targets: string[]
}

/** Whether a row and what it refers to are always on one machine. */
function isTogether(table: string, { target, columns, targets }: ForeignKey): boolean {
  const [own, other] = [spreadBy(table), spreadBy(target)]
  // Every machine has it.
  if (other === null) return true
  return familyOf(table) === familyOf(target) && columns.some((column, nth) => column === own && targets[nth] === other)
}

/** Why `table` can't be spread by the column that is its key. */
export async function reasonsAgainst(pool: Pool, table: string): Promise<Reasons> {
  const asked = async <T extends object>(query: string) => (await pool.query<T>(query, [table])).rows
  const key = spreadBy(table)
  const triggers = await asked<{ name: string }>(triggersOf)
  const uniques = await asked<{ name: string; columns: string[] }>(uniquesOf)
  const foreignKeys = await asked<ForeignKey>(foreignKeysOf)
  const cursors = await asked<{ name: string }>(cursorsOf)
  return [
    ...triggers.map(({ name }) => `trigger \`${name}\``),
    ...uniques.filter(({ columns }) => !columns.includes(key as string)).map(({ name }) => `unique \`${name}\``),
    ...foreignKeys
      .filter((foreignKey) => !isTogether(table, foreignKey))
      .map(({ columns, target }) => `\`${columns.join(', ')}\` of ${target}`),
    ...cursors.map(({ name }) => `cursor \`${name}\``),
  ]
}
