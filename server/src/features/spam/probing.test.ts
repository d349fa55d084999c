import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hours } from '../../platform/clock.ts'
import type { TestApp } from '../../test/app.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { caller, type Person, people } from '../../test/people.ts'
import { startLimited } from './acts.test-spam.ts'

let database: TestDatabase
let open: TestApp
let limited: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  ;({ open, limited } = await startLimited(database))
})
afterAll(async () => {
  await limited.close()
  await open.close()
  await database.drop()
})

it('whoever guesses who is there is told nothing any more for an hour, and others are', async () => {
  const [ana, ben] = (await people(open, 2)) as [Person, Person]
  const [hers, his] = [caller(limited.url, ana.token), caller(limited.url, ben.token)]
  const looks = async (who: typeof hers, id: string) => (await who.send('GET', `/api/user/${id}`)).status
  const unblocks = async (who: typeof hers, id: string) => (await who.send('DELETE', `/api/blocks/${id}`)).status
  const guesses = []
  for (let count = 0; count < 302; count++) guesses.push(await unblocks(hers, randomUUID()))
  expect(guesses.slice(0, 301)).toEqual(Array(301).fill(404))
  expect(guesses.at(-1)).toBe(429)
  expect(await looks(hers, ben.id)).toBe(429)
  expect((await hers.call('GET /api/notifications')).status).toBe(200)
  expect(await looks(his, ana.id)).toBe(200)
  open.clock.advance(hours(1) + 1_000)
  expect(await looks(hers, ben.id)).toBe(200)
})
