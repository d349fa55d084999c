import { randomUUID } from 'node:crypto'
import { type Api, api } from '@duet/contract/api.ts'
import type { EndpointSpec } from '@duet/contract/endpoint.ts'
import type { RequestSpec } from '@duet/contract/event.ts'
import { rateLimits } from '@duet/contract/rate-limits.ts'
import { requests } from '@duet/contract/realtime.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countCode, guarded } from '../../features/accounts/budgets.ts'
import { after, days } from '../../platform/clock.ts'
import { withinLimit } from '../../platform/security/rate-limit.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { attachmentForm } from '../attachments.ts'
import { type Person, people, person } from '../people.ts'
import { connect } from '../sockets.ts'
import { outgoing } from '../talk.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_SCALE: '1' })
  countUsesHere()
})
afterAll(() => app.close())

const usesHere = new Map<string, number>()
/** Records the uses that this process counts in memory. */
function countUsesHere(): void {
  const { limits } = app.platform
  const { spendHere, refundHere } = limits
  const add = (name: string, key: string, uses: number) =>
    usesHere.set(`${name} ${key}`, (usesHere.get(`${name} ${key}`) ?? 0) + uses)
  limits.spendHere = async (limit, key) => {
    await spendHere(limit, key)
    add(limit.name, key, 1)
  }
  limits.refundHere = async (limit, key) => {
    await refundHere(limit, key)
    add(limit.name, key, -1)
  }
}

/** The counted uses of every limit that all nodes share. */
async function uses(): Promise<object[]> {
  const { rows } = await app.platform.pool.query('select key, points from rate_limits where points > 0 order by key')
  return rows
}
const save = (who: Person, body: object) => who.call('PATCH /api/user/updateUser', { body })

it('A refused save leaves every budget as it was, including those of the fields it would have changed.', async () => {
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

it('A refused first message of a newcomer leaves their budget of new conversations as it was.', async () => {
  const [ana, ...others] = (await people(app, 5)) as [Person, ...Person[]]
  const { ask, socket } = await connect(app, ana)
  const write = (to: Person) => ask('send_message', outgoing(ana, to, `Look at https://example.org/${to.id}`))
  for (const other of others.slice(0, 3)) expect(await write(other)).toMatchObject({ ok: true })
  const before = await uses()
  expect(await write(others[3] as Person)).toMatchObject({ ok: false, code: 'rate_limited' })
  expect(await uses()).toEqual(before)
  socket.disconnect()
})

it('An attempt that one budget refuses counts against none of the others.', async () => {
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

it('A refused code leaves every budget as it was, whichever budget is used up.', async () => {
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

const nobody = () => ({ userId: randomUUID() })
const ownDate = { params: { id: randomUUID() } }
const date = (wanted: object = {}) => ({
  body: { place: 'Café Central', at: app.clock.now().toISOString(), ...wanted },
})
const garbage = () => attachmentForm(Buffer.from('no picture'))
const text = 'I wrote to the friends of my choir, please look again.'

type Refused = [name: keyof Api, status: number, request: (ana: Person, ben: Person) => object]
const refusedActs: Refused[] = [
  ['POST /api/dates', 400, () => date({ at: after(app.clock.now(), days(400)).toISOString() })],
  ['POST /api/dates', 404, () => date({ withUserId: randomUUID() })],
  ['PATCH /api/dates/:id', 404, () => ({ ...ownDate, body: { ended: true } })],
  ['POST /api/dates/:id/checkIn', 404, () => ownDate],
  ['POST /api/appeals', 404, () => ({ body: { sanctionId: randomUUID(), text } })],
  ['POST /api/reports', 404, () => ({ body: { ...nobody(), subject: { kind: 'profile' }, reason: 'spam' } })],
  ['PUT /api/blocks/:userId', 400, (ana) => ({ params: { userId: ana.id } })],
  ['POST /api/conversations/:userId/attachments', 404, () => ({ params: nobody(), form: garbage() })],
  ['POST /api/conversations/:userId/attachments', 415, (_, ben) => ({ params: { userId: ben.id }, form: garbage() })],
  ['PUT /api/verification/selfie', 409, () => ({ form: garbage() })],
  [
    'PATCH /api/conversations/:userId/messages/:seq',
    404,
    (_, ben) => ({ params: { userId: ben.id, seq: '9' }, body: { message: 'Hello' } }),
  ],
  ['PATCH /api/user/updateUser', 400, () => ({ body: { ageMin: 60, ageMax: 20 } })],
]
/** Guesses, reads, and decisions, which cost the server too much to be refunded. */
const refusedTries: Refused[] = [
  ['POST /api/user/verifyOtp', 401, (ana) => ({ body: { email: ana.email, otp: '00000000' } })],
  ['POST /api/user/addressChange/undo', 404, () => ({ body: { token: 'guess' } })],
  ['POST /api/declined-contacts', 404, () => ({ body: { key: 'guess' } })],
  ['GET /api/shared-dates/:token', 404, () => ({ params: { token: 'guess' } })],
  ['PUT /api/decisions/:userId', 404, () => ({ params: nobody(), body: { decision: 'like' } })],
  ['DELETE /api/user/passkeys/:id', 404, () => ({ params: { id: randomUUID() } })],
  ['DELETE /api/user/identities/:id', 404, () => ({ params: { id: randomUUID() } })],
  ['GET /api/user/:id', 404, () => ({ params: { id: randomUUID() } })],
]

/** The counted uses of an endpoint's own limit, both shared and in this process. */
async function usesOf(name: keyof Api): Promise<number> {
  const limit = api.find((spec) => `${spec.method} ${spec.path}` === name) as EndpointSpec
  const budget = limit.limit?.name
  const { rows } = await app.platform.pool.query(
    `select coalesce(sum(points), 0)::int as uses from rate_limits where key like $1 || ':%'`,
    [budget],
  )
  const here = [...usesHere].filter(([key]) => key.startsWith(`${budget} `)).map(([, uses]) => uses)
  return here.reduce((sum, uses) => sum + uses, rows[0].uses)
}

async function usesByRefusal(...[name, status, request]: Refused): Promise<number> {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const before = await usesOf(name)
  expect((await ana.call(name, request(ana, ben) as never)).status).toBe(status)
  return (await usesOf(name)) - before
}

describe('the limit of an endpoint', () => {
  it.each(refusedActs)('An endpoint’s limit counts no refused act: %s, refused with %i', async (...refused) => {
    expect(await usesByRefusal(...refused)).toBe(0)
  })

  it.each(refusedTries)(
    'An endpoint’s limit counts a refused guess, read or decision: %s, refused with %i',
    async (...refused) => {
      expect(await usesByRefusal(...refused)).toBe(1)
    },
  )

  it('An endpoint’s limit refunds failed acts, as often in a window as it allows uses.', async () => {
    const limit = { ...rateLimits.sharedDates, name: 'failing_acts', points: 2 }
    const viewer = { id: randomUUID(), sessionId: randomUUID() }
    const fail = () => withinLimit(app.platform.limits, limit, { viewer }, () => Promise.reject(new Error('a fault')))
    for (let n = 0; n < 4; n++) await expect(fail()).rejects.toThrow('a fault')
    await expect(fail()).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('No limit is refunded that is public, read-only, or counted by network or session.', () => {
    const specs = [...api, ...Object.values<RequestSpec>(requests)] as (Partial<EndpointSpec> & RequestSpec)[]
    const counting = specs.filter(
      ({ method, access, limit }) => limit?.by || method === undefined || method === 'GET' || access === 'public',
    )
    expect(counting.filter(({ limit }) => limit?.isRefunded).map(({ limit }) => limit?.name)).toEqual([])
  })
})
