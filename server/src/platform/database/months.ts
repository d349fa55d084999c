import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

interface Part {
  name: string
  until: Date | null
}

async function partsOf(db: Db, table: string): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select part.oid::regclass::text as name,
      (regexp_match(pg_get_expr(part.relpartbound, part.oid), 'TO [(]''(.*)''[)]'))[1]::timestamptz as until
    from pg_inherits join pg_class part on part.oid = inhrelid
    where inhparent = ${table}::regclass order by until`.execute(db)
  return rows
}

/** A statement waiting for a table lock blocks all later ones: give up quickly, and let the job retry. */
const withoutWaiting = (db: Db, change: RawBuilder<unknown>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx)
    await change.execute(tx)
  })

const monthOf = (at: Date, plus = 0) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + plus))

/**
 * Creates the partition of a month. If the default partition already has rows of that month, PostgreSQL refuses, and
 * the rows stay in the default partition.
 */
async function makeMonth(db: Db, { table, column }: Kept, month: Date): Promise<void> {
  const next = monthOf(month, 1)
  const rest = sql.id('months', `${table}_rest`)
  const { rows } = await sql<{ there: boolean }>`
    select exists (select from ${rest} where ${sql.id(column)} >= ${month} and ${sql.id(column)} < ${next}) as there`.execute(
    db,
  )
  if (rows[0]?.there) return
  const [year, number] = [month.getUTCFullYear(), `${month.getUTCMonth() + 1}`.padStart(2, '0')]
  const name = sql.id('months', `${table}_${year}_${number}`)
  const bounds = sql`from (${sql.lit(month.toISOString())}) to (${sql.lit(next.toISOString())})`
  await withoutWaiting(db, sql`create table ${name} partition of ${sql.id(table)} for values ${bounds}`)
}

/** A table partitioned by month (UTC) of `column`, with its partitions in the schema `months`. */
export interface Kept {
  table: string
  column: string
}

/**
 * Creates the partitions of this month and the next, and drops those before `keptSince`. If the job hasn't run for
 * long, rows went to the default partition, and they are deleted from there when they expire.
 */
export async function keepMonths(db: Db, kept: Kept, now: Date, keptSince: Date): Promise<void> {
  const parts = await partsOf(db, kept.table)
  const covered = Math.max(...parts.map(({ until }) => until?.getTime() ?? 0))
  for (const month of [monthOf(now), monthOf(now, 1)]) if (month.getTime() >= covered) await makeMonth(db, kept, month)
  for (const { name, until } of parts)
    if (until && until <= keptSince) await withoutWaiting(db, sql`drop table ${sql.raw(name)}`)
  await sql`
    delete from ${sql.id('months', `${kept.table}_rest`)} where ${sql.id(kept.column)} < ${keptSince}`.execute(db)
}
