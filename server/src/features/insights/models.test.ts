import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'

let app: TestApp
let operator: Person
beforeAll(async () => {
  app = await startTestApp()
  operator = await person(app)
  await app.platform.grantSuperAdmin(operator.email)
})
afterAll(() => app.close())

const use = (version: number) =>
  operator.send('PUT', `/api/admin/models/${version}/active`).then(({ status, body }) => ({ status, body }))
const listed = async () => (await operator.call('GET /api/admin/models')).body.models

const add = async (metrics: object, active = false): Promise<number> => {
  const row = { weights: '{}', metrics: JSON.stringify(metrics), trained_at: app.clock.now(), active }
  return (await app.platform.db.insertInto('models').values(row).returning('version').executeTakeFirstOrThrow()).version
}

it("the list starts with the code's defaults", async () => {
  expect(await listed()).toEqual([{ version: 0, trainedAt: null, active: true, metrics: {} }])
})

it('the list shows trained models, newest first, with all their metrics', async () => {
  const older = await add({ auc: 0.7, test: { logloss: 0.5 }, note: 'text' }, true)
  const newer = await add({ auc: 0.72 })
  expect(await listed()).toMatchObject([
    { version: newer, active: false, metrics: { auc: 0.72 } },
    { version: older, active: true, metrics: { auc: 0.7, 'test.logloss': 0.5 } },
    { version: 0, active: false },
  ])
})

it('an operator can switch to another model, or back to the defaults', async () => {
  const [newer, older] = (await listed()).map(({ version }) => version) as [number, number]
  for (const version of [newer, older, 0, newer]) {
    expect((await use(version)).status).toBe(200)
    expect((await listed()).filter(({ active }) => active).map((model) => model.version)).toEqual([version])
  }
})

it('a model that was never trained is refused, and the one in use stays', async () => {
  const before = await listed()
  expect((await use(987_654)).status).toBe(404)
  expect((await use(-1)).status).toBe(400)
  expect(await listed()).toEqual(before)
})

it('nobody else sees the models', async () => {
  const member = await person(app)
  expect((await member.call('GET /api/admin/models')).status).toBe(404)
  expect((await member.call('PUT /api/admin/models/:version/active', { params: { version: '0' } })).status).toBe(404)
  expect((await listed()).some(({ active }) => active)).toBe(true)
})
