import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { PreparingClient } from './preparing-client.ts'

let database: TestDatabase
let client: PreparingClient
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  client = new PreparingClient(database.config)
  await client.connect()
  return () => client.end()
})

const prepared = async () => {
  const { rows } = await client.query('select statement from pg_prepared_statements')
  return rows.map(({ statement }: { statement: string }) => statement)
}

it('what is asked with parameters is prepared when it is asked again, whatever they are', async () => {
  const text = 'select $1::int + 1 as next'
  expect((await client.query(text, [1])).rows).toEqual([{ next: 2 }])
  expect(await prepared()).toEqual([])
  expect((await client.query({ text, values: [2] })).rows).toEqual([{ next: 3 }])
  expect((await client.query({ text, values: [3], rowMode: 'array' })).rows).toEqual([[4]])
  expect(await prepared()).toEqual([text])
})

it('what has no parameters is not prepared, and what has a name keeps it', async () => {
  for (let nth = 0; nth < 3; nth++) await client.query('select 1 as one')
  await client.query({ name: 'mine', text: 'select $1::text as said', values: ['yes'] })
  const { rows } = await client.query('select name from pg_prepared_statements')
  expect(rows).toEqual([{ name: 'mine' }])
})

it('the driver’s other ways to ask are left as they are', async () => {
  const text = 'select $1::int as number'
  for (let nth = 0; nth < 3; nth++) {
    const { rows } = await new Promise<pg.QueryResult>((resolve, reject) => {
      client.query(text, [nth], (error: Error | null, result: pg.QueryResult) =>
        error ? reject(error) : resolve(result),
      )
    })
    expect(rows).toEqual([{ number: nth }])
    const query = client.query(new pg.Query({ text, values: [nth] }))
    const row = await new Promise((resolve, reject) => query.on('row', resolve).on('error', reject))
    expect(row).toEqual({ number: nth })
  }
  await expect(client.query('select $1::int', ['no number'])).rejects.toMatchObject({ code: '22P02' })
  await expect(client.query('select $1::int', ['no number'])).rejects.toMatchObject({ code: '22P02' })
  expect((await client.query('select $1::int as number', [5])).rows).toEqual([{ number: 5 }])
})
