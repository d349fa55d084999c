import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seconds } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { operatorSettings } from './settings.ts'

let app: TestApp
let operator: Person
beforeAll(async () => {
  app = await startTestApp()
  operator = await person(app)
  await app.platform.grantSuperAdmin(operator.email)
})
afterAll(() => app.close())

const change = (body: unknown) => operator.send('PATCH', '/api/admin/settings', body)
const now = async () => (await operator.call('GET /api/admin/settings')).body

describe('the settings of the operator', () => {
  it('the default is a hundred likes a day', async () => {
    expect(await now()).toEqual({ dailyLikes: 100 })
  })

  it.each([1, 1000, null, 40])(
    'the operator can set %s likes a day, and the process that stored it uses it immediately',
    async (dailyLikes) => {
      const { status, body } = await change({ dailyLikes })
      expect([status, body]).toEqual([200, { dailyLikes }])
      expect(await now()).toEqual({ dailyLikes })
      expect(await operatorSettings(app.platform)).toEqual({ dailyLikes })
    },
  )

  it('a changed setting reaches other processes within two seconds', async () => {
    await change({ dailyLikes: 7 })
    const elsewhere = { value: '8', changed_at: app.clock.now() }
    await app.platform.db.updateTable('settings').set(elsewhere).where('key', '=', 'dailyLikes').execute()
    app.clock.advance(seconds(2))
    expect(await operatorSettings(app.platform)).toEqual({ dailyLikes: 8 })
  })

  it('settings stay unchanged when nothing is sent', async () => {
    await change({ dailyLikes: 9 })
    const { status, body } = await change({})
    expect([status, body]).toEqual([200, { dailyLikes: 9 }])
  })

  it.each([{ dailyLikes: 0 }, { dailyLikes: 1001 }, { dailyLikes: 1.5 }, { dailyLikes: '20' }, { weeklyLikes: 3 }])(
    'settings refuse %j',
    async (body) => {
      const before = await now()
      expect((await change(body)).status).toBe(400)
      expect(await now()).toEqual(before)
    },
  )

  it('nobody else sees the settings', async () => {
    const member = await person(app)
    expect((await member.call('GET /api/admin/settings')).status).toBe(404)
    expect((await member.call('PATCH /api/admin/settings', { body: { dailyLikes: 5 } })).status).toBe(404)
  })
})
