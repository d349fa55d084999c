import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { NamedClient, named } from './named-client.ts'

let database: TestDatabase
let pool: pg.Pool
let db: Kysely<unknown>
beforeAll(async () => {
  database = await createTestDatabase()
  pool = new pg.Pool({ ...database.config, Client: NamedClient, max: 1 })
  db = new Kysely({ dialect: new PostgresDialect({ pool }) })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const prepared = async () => {
  const { rows } = await pool.query<{ name: string }>('select name from pg_prepared_statements order by name')
  return rows.map(({ name }) => name)
}

it('A named statement is prepared once for all values, even in a transaction', async () => {
  const next = (on: Kysely<unknown>, number: number) =>
    sql<{ next: number }>`${named('next-number')} select ${number}::int + 1 as next`.execute(on)
  expect((await next(db, 1)).rows).toEqual([{ next: 2 }])
  expect((await db.transaction().execute((tx) => next(tx, 2))).rows).toEqual([{ next: 3 }])
  expect(await prepared()).toEqual(['next-number'])
})

it('Only named statements are timed, including failed ones', async () => {
  const told: string[] = []
  const config = {
    ...database.config,
    onStatement: (name: string, seconds: number) => told.push(`${name} ${seconds > 0}`),
  }
  const timed = new pg.Pool({ ...config, Client: NamedClient, max: 1 })
  await timed.query('/* by-text */ select $1::int', [1])
  await timed.query({ name: 'by-name', text: 'select $1::int', values: [2] })
  await expect(timed.query('/* in-vain */ select 1 / $1::int', [0])).rejects.toThrow('division by zero')
  await timed.query('select 3')
  const client = await timed.connect()
  await client.query({ name: 'by-promise', text: 'select 4' })
  client.release()
  await timed.end()
  expect(told).toEqual(['by-text true', 'by-name true', 'in-vain true', 'by-promise true'])
})

it('An unnamed statement is not prepared, and the driver’s own names work', async () => {
  const before = await prepared()
  await pool.query('select $1::int as number, $2::text /* not a name */', [1, 'two'])
  await pool.query('/* no-values */ select 1')
  expect(await prepared()).toEqual(before)
  await pool.query({ name: 'mine', text: 'select $1::text as said', values: ['yes'] })
  expect(await prepared()).toEqual([...before, 'mine'].sort())
})

it('A failing named statement throws the usual error and leaves the connection usable', async () => {
  const read = (text: string) => sql`${named('read-number')} select ${text}::int as number`.execute(db)
  await expect(read('none')).rejects.toMatchObject({ code: '22P02' })
  await expect(read('none')).rejects.toMatchObject({ code: '22P02' })
  expect((await read('5')).rows).toEqual([{ number: 5 }])
})

it('Two statements with different texts cannot share a name', async () => {
  await sql`${named('shared')} select ${1}::int as one`.execute(db)
  await expect(sql`${named('shared')} select ${1}::int as other`.execute(db)).rejects.toThrow('must be unique')
})
