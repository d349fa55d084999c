import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { after, hours } from '../../platform/clock.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { attachmentForm, jpeg, upload } from '../../test/attachments.ts'
import { type Person, people } from '../../test/people.ts'
import { standstillMs } from '../../test/standstill.ts'

let app: TestApp
let owner: pg.Client
let watching: pg.Client
beforeAll(async () => {
  app = await startTestApp()
  owner = new pg.Client(ownerOf(app.platform))
  watching = new pg.Client(ownerOf(app.platform))
  for (const client of [owner, watching]) await client.connect()
})
afterAll(async () => {
  for (const client of [owner, watching]) await client.end()
  await app.close()
})

const isWaiting = async () => {
  const { rows } = await watching.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length > 0
}
const acts = {
  'shares a date with them': (ana: Person, ben: Person) => {
    const at = after(app.clock.now(), hours(1)).toISOString()
    return ana.call('POST /api/dates', { body: { withUserId: ben.id, place: 'Café Central', at } })
  },
  'blocks them': (ana: Person, ben: Person) => ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } }),
}

const refused = {
  'saves them for later': (ana: Person, ben: Person) =>
    ana.call('PUT /api/decisions/:userId', { params: { userId: ben.id }, body: { decision: 'later' } }),
  'sends them a photo': async (ana: Person, ben: Person) => upload(ana, ben, attachmentForm(await jpeg())),
}

describe('during the erasure of a person', () => {
  it.each(Object.entries(acts))("a person who %s during someone's erasure gets no error", async (_, act) => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    await owner.query('begin')
    await owner.query('delete from accounts where id = $1', [ben.id])
    const acting = act(ana, ben)
    await expect.poll(isWaiting, { timeout: standstillMs }).toBe(true)
    await owner.query('commit')
    expect((await acting).status).toBeLessThan(300)
  })

  it.each(Object.entries(refused))(
    "a person who %s during someone's erasure reads that they are gone",
    async (_, act) => {
      const [ana, ben] = (await people(app, 2)) as [Person, Person]
      await owner.query('begin')
      await owner.query('delete from accounts where id = $1', [ben.id])
      const acting = act(ana, ben)
      await expect.poll(isWaiting, { timeout: standstillMs }).toBe(true)
      await owner.query('commit')
      expect((await acting).status).toBe(404)
    },
  )
})
