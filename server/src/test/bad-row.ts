import pg from 'pg'
import { ownerOf, type TestApp } from './app.ts'

export async function asOwner({ platform }: TestApp, ...statements: string[]): Promise<void> {
  const { host, user, database } = ownerOf(platform)
  const client = new pg.Client({ ...(host && { host }), ...(user && { user }), ...(database && { database }) })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** While `work` runs, rows of `table` whose `column` is `value` can be read but neither changed nor deleted. */
export async function withBadRow(
  app: TestApp,
  { table, column, value }: { table: string; column: string; value: string },
  work: () => Promise<unknown>,
): Promise<void> {
  await asOwner(
    app,
    `create function refuse_row() returns trigger language plpgsql as
      $$ begin raise exception 'this row cannot be changed'; end $$`,
    `create trigger refuse_row before update or delete on ${table} for each row
      when (old.${column}::text = '${value}') execute function refuse_row()`,
  )
  try {
    await work()
  } finally {
    await asOwner(app, `drop trigger refuse_row on ${table}`, 'drop function refuse_row')
  }
}
