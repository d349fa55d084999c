import { afterAll, beforeAll, expect, it } from 'vitest'
import { countCode, guarded } from '../../features/accounts/budgets.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { type Person, people, person } from '../people.ts'
import { connect } from '../sockets.ts'
import { outgoing } from '../talk.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_SCALE: '1' })
})
afterAll(() => app.close())

/** The uses of every budget that all nodes share. */
async function uses(): Promise<object[]> {
  const { rows } = await app.platform.pool.query('select key, points from rate_limits where points > 0 order by key')
  return rows
}
const save = (who: Person, body: object) => who.call('PATCH /api/user/updateUser', { body })

it('A refused save leaves every budget as it was, including those of the fields it would have changed', async () => {
  const ana = await person(app, { gender: 'woman' })
  for (const smoking of ['never', 'sometimes', 'often', 'never'])
    expect((await save(ana, { smoking })).status).toBe(200)
  const before = await uses()
  const refused = [
    { heightCm: 170, intents: ['dating'], smoking: 'often' },
    { gender: 'man', diet: 'vegan', images: ['no-such-photo.webp'] },
    { children: 'want', ageMin: 60, ageMax: 20 },
  ]
  for (const body of refused) expect((await save(ana, body)).status).toBeGreaterThanOrEqual(400)
  expect(await uses()).toEqual(before)
  for (const heightCm of [170, 171, 172, 173]) expect((await save(ana, { heightCm })).status).toBe(200)
})

it('A refused first message of a newcomer leaves their budget of new conversations as it was', async () => {
  const [ana, ...others] = (await people(app, 5)) as [Person, ...Person[]]
  const { ask, socket } = await connect(app, ana)
  const write = (to: Person) => ask('send_message', outgoing(ana, to, `Look at https://example.org/${to.id}`))
  for (const other of others.slice(0, 3)) expect(await write(other)).toMatchObject({ ok: true })
  const before = await uses()
  expect(await write(others[3] as Person)).toMatchObject({ ok: false, code: 'rate_limited' })
  expect(await uses()).toEqual(before)
  socket.disconnect()
})

it('An attempt that one budget refuses counts against none of the others', async () => {
  const { platform } = app
  const [free, full] = [2, 1].map((points) => ({ name: `guarded_${points}`, points, seconds: 60 }))
  await platform.limits.spend(full as never, 'ana')
  const before = await uses()
  const attempt = guarded(
    platform,
    [[free as never, 'ana'] as const, [full as never, 'ana'] as const],
    async () => 'in',
  )
  await expect(attempt).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await uses()).toEqual(before)
})

it('A refused code leaves every budget as it was, whichever budget is used up', async () => {
  const { platform } = app
  const email = 'ana@budgets.example'
  const code = (isAlive: boolean) => countCode(platform, email, { network: '10.0.0.1' }, async () => isAlive)
  for (const used of [3, 4])
    await platform.limits.spend({ name: 'code_mailbox', points: 10, seconds: 600 }, email, used)
  await code(false)
  await platform.limits.spend({ name: 'code_mailbox_day', points: 200, seconds: 86_400 }, email, 199)
  const before = await uses()
  for (let n = 0; n < 3; n++) await expect(code(false)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await uses()).toEqual(before)
})
