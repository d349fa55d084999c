import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { pair } from '../../test/talk.ts'
import { say } from '../reports/acts.test-reports.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it("after fifty names in a day, past contacts read the day's first name and none from later", async () => {
  const [ana, ben, , socket] = await pair(app)
  const rename = async (name: string) => {
    app.clock.advance(1)
    await ben.call('PATCH /api/user/updateUser', { body: { name } })
  }
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  for (let count = 0; count < 51; count++) await rename(`B${letters[count % 26]}${letters[Math.floor(count / 26)]}`)
  await say(ben, ana, socket, 'Hello')
  await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
  for (const name of ['Bernard', 'Bo']) await rename(name)
  const { people } = (await ana.call('GET /api/reports/past-contacts', { query: {} })).body
  expect(people.map(({ name }) => name)).toEqual([ben.name])
})
