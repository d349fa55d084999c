import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { api } from '@duet/contract/api.ts'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { eraseAccount } from '../../features/data-rights/erasure.ts'
import { revokeRights } from '../../features/moderation/rights.ts'
import { kept, message, receiptOf, say } from '../../features/reports/acts.test-reports.ts'
import { signInAgain } from '../../features/reports/cases.test-reports.ts'
import { sanction } from '../../features/sanctions/sanctions.ts'
import { resetSecondFactor } from '../../features/second-factor/second-factor.ts'
import { after, days } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { addPhoto, attachmentForm, jpeg } from '../attachments.ts'
import { caller, type Person, person } from '../people.ts'
import { databaseOf } from '../restoring.ts'
import { connect } from '../sockets.ts'
import { standstillMs } from '../standstill.ts'
import { type Act, acts, handouts, harmless, type Name } from './after.table.ts'

let app: TestApp
let owner: Pools
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'fatal' })
  owner = connectOwner(databaseOf(app), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

/** A person with two devices, a match of theirs, and an administrator with two devices. */
interface World {
  ana: Person
  ben: Person
  ada: Person
}

async function liked(ana: Person, ben: Person): Promise<void> {
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
  ] as const)
    await one.call('PUT /api/decisions/:userId', { params: { userId: other.id }, body: { decision: 'like' } })
}

async function administrator(): Promise<Person> {
  const ada = await person(app)
  await app.platform.grantSuperAdmin(ada.email)
  const { body } = await ada.call('POST /api/admin/second-factor')
  const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate({ timestamp: app.clock.now().getTime() })
  expect((await ada.call('POST /api/admin/second-factor/confirm', { body: { code } })).status).toBe(200)
  return ada
}

async function world(): Promise<World> {
  const [ana, ben, ada] = [await person(app), await person(app), await administrator()]
  const form = attachmentForm(await jpeg())
  await ben.call('PATCH /api/user/:userId/image', { params: { userId: ben.id }, form })
  await liked(ana, ben)
  for (const one of [ana, ada]) await signInAgain(app, one)
  return { ana, ben, ada }
}

const isServed = async (url: string) => (await fetch(app.url + url)).status === 200
const rowsOf = async (text: string, values: unknown[]) => (await owner.pool.query(text, values)).rowCount ?? 0

const holding: Record<Name, (held: World) => Promise<() => Promise<boolean>>> = {
  token:
    async ({ ana }) =>
    async () =>
      (await ana.call('GET /api/user/myDetails')).status === 200,
  'live connection': async ({ ana }) => {
    const { socket } = await connect(app, ana)
    return async () => socket.connected
  },
  // Needed to get the export's URL.
  'proof of identity':
    async ({ ana }) =>
    async () =>
      typeof (await ana.call('GET /api/export')).body.url === 'string',
  'address of a photo': async ({ ana, ben }) => {
    const { body } = await ana.call('GET /api/user/:id', { params: { id: ben.id } })
    return () => isServed(body.photos[0]?.url ?? '')
  },
  'address of an attachment': async ({ ana, ben }) => {
    const line = await connect(app, ben)
    const { seq } = await say(ben, ana, line, '', { attachmentId: (await addPhoto(ben, ana)).id })
    const params = { userId: ben.id }
    const { body } = await ana.call('GET /api/conversations/:userId/messages', { params })
    const url = body.messages.find((one) => one.seq === seq)?.attachment?.url ?? ''
    return () => isServed(url)
  },
  'address of an export': async ({ ana }) => {
    await ana.call('POST /api/export', { body: { language: 'en' } })
    const ready = async () => (await ana.call('GET /api/export')).body.url
    const url = (await vi.waitUntil(ready, standstillMs)) ?? ''
    return () => isServed(url)
  },
  'link to a date': async ({ ana }) => {
    const at = after(app.clock.now(), days(1)).toISOString()
    const { body } = await ana.call('POST /api/dates', { body: { place: 'Café', at } })
    const token = body.url.split('/').at(-1) ?? ''
    const open = () => caller(app.url).call('GET /api/shared-dates/:token', { params: { token } })
    return async () => (await open()).status === 200
  },
  'sign-in code': async ({ ana }) => {
    app.clock.advance(31_000)
    await caller(app.url).call('POST /api/user/requestOtp', { body: { email: ana.email } })
    const otp = await app.codeFor(ana.email)
    const sent = app.mails.length
    expect(sent).toBeGreaterThan(0)
    const body = { email: ana.email, otp }
    // The item works only once, so check the database instead.
    return async () =>
      (await rowsOf('select from sign_in_codes where email = $1', [body.email])) > 0 && /^\d{8}$/.test(body.otp)
  },
  job: async ({ ana }) => {
    for (const name of handouts.job.jobs)
      await app.platform.jobs.add(name, { userId: ana.id }, { runAt: after(new Date(), days(9)) })
    const waiting = 'select from graphile_worker._private_jobs where payload::text like $1'
    return async () => (await rowsOf(waiting, [`%${ana.id}%`])) > 0
  },
  'address of evidence': async ({ ana, ben, ada }) => {
    const line = await connect(app, ben)
    const { seq } = await say(ben, ana, line, '', { attachmentId: (await addPhoto(ben, ana)).id })
    const report = await kept(ada, await receiptOf(ana, ben.id, message(seq)))
    const url = report.evidence.messages.find((one) => one.attachment)?.attachment?.url ?? ''
    return () => isServed(url)
  },
  'proof of the second factor':
    async ({ ada }) =>
    async () =>
      (await ada.call('GET /api/admin/photos')).status === 200,
  'recovery codes of the second factor': async ({ ada }) => {
    return async () => (await rowsOf('select from recovery_codes where user_id = $1', [ada.id])) > 0
  },
  'recovery codes of the account': async ({ ana }) => {
    expect((await ana.call('POST /api/user/recoveryCodes')).body.recoveryCodes).toHaveLength(10)
    return async () => (await rowsOf('select from account_recovery_codes where user_id = $1', [ana.id])) > 0
  },
  'link that undoes a change of address': async ({ ana }) => {
    const now = app.clock.now()
    const values = { user_id: ana.id, email: 'before@example.com', created_at: now, expires_at: after(now, days(3)) }
    await app.platform.db.insertInto('address_undos').values(values).execute()
    return async () => (await rowsOf('select from address_undos where user_id = $1', [ana.id])) > 0
  },
  claim: async ({ ada, ana, ben }) => {
    const receipt = await receiptOf(ana, ben.id)
    const params = { kind: 'report' as const, id: receipt }
    expect((await ada.call('PUT /api/admin/claims/:kind/:id', { params })).status).toBe(200)
    return async () => (await rowsOf('select from claims where admin_id = $1', [ada.id])) > 0
  },
}

/** Revokes an administrator's rights, because administrators can't be suspended. */
const stripped = ({ email }: Person) => transaction({ ...app.platform, db: owner.db }, (tx) => revokeRights(tx, email))
const suspend = (userId: string) =>
  transaction(app.platform, (tx) =>
    sanction(tx, { userId, kind: 'suspension', ground: 'threats', statement: 'Threats.', decidedBy: null, days: 7 }),
  )
const both = async ({ ana, ada }: World, act: (one: Person) => Promise<unknown>) => {
  for (const one of [ana, ada]) await act(one)
}
const acting: Record<Act, (held: World) => Promise<unknown>> = {
  'sign-out': (held) => both(held, (one) => one.call('POST /api/user/signOut')),
  'sign-out everywhere': (held) => both(held, (one) => one.call('POST /api/user/signOutEverywhere')),
  block: ({ ana, ben }) => ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } }),
  unmatch: ({ ana, ben }) => ben.call('DELETE /api/matches/:userId', { params: { userId: ana.id } }),
  suspension: async (held) => {
    await stripped(held.ada)
    await both(held, ({ id }) => suspend(id))
  },
  'request for erasure': (held) => both(held, (one) => one.call('POST /api/erasure', { body: {} })),
  erasure: (held) => both(held, ({ id }) => eraseAccount({ ...app.platform, db: owner.db }, id)),
  'loss of the second factor': ({ ada }) => transaction(app.platform, (tx) => resetSecondFactor(tx, ada.email)),
}

describe('items that were handed out', () => {
  it.each(acts)(
    'Each item that was handed out works or is dead as the table says, after: %s',
    { tags: 'long' },
    async (act) => {
      const held = await world()
      const uses: [Name, () => Promise<boolean>][] = []
      for (const name of Object.keys(handouts) as Name[]) uses.push([name, await holding[name](held)])
      for (const [name, isOfUse] of uses) expect([name, await isOfUse()]).toEqual([name, true])
      await acting[act](held)
      const told: Record<string, string> = {}
      for (const [name, isOfUse] of uses) {
        if (handouts[name].after[act] === 'dead')
          await vi.waitUntil(async () => !(await isOfUse()), standstillMs).catch(() => 0)
        told[name] = (await isOfUse()) ? 'lives' : 'dead'
      }
      expect(told).toEqual(Object.fromEntries(uses.map(([name]) => [name, handouts[name].after[act]])))
    },
  )
})

interface Node {
  properties?: Record<string, Node>
  items?: Node
  additionalProperties?: Node | boolean
  anyOf?: Node[]
  oneOf?: Node[]
  allOf?: Node[]
}

/** The path of every response field whose name suggests that it grants access. */
function fieldsIn(node: Node, path: string): string[] {
  const inner = Object.entries(node.properties ?? {}).flatMap(([name, one]) => [
    ...(/url|token|secret|codes$|link|key$|proof/i.test(name) ? [`${path}.${name}`] : []),
    ...fieldsIn(one, `${path}.${name}`),
  ])
  const rest = [
    node.items,
    node.additionalProperties,
    ...(node.anyOf ?? []),
    ...(node.oneOf ?? []),
    ...(node.allOf ?? []),
  ]
  return [...inner, ...rest.flatMap((one) => (typeof one === 'object' ? fieldsIn(one, path) : []))]
}

const patterns = Object.values(handouts).flatMap((handout) => ('fields' in handout ? [handout.fields] : []))

describe('the table of what is handed out', () => {
  it('The table lists every response field that grants access.', () => {
    const found = api.flatMap(({ method, path, response }) =>
      fieldsIn(z.toJSONSchema(response, { unrepresentable: 'any', reused: 'inline' }) as Node, `${method} ${path}`),
    )
    expect(found.length).toBeGreaterThan(20)
    expect(found.filter((field) => !harmless.test(field) && !patterns.some((one) => one.test(field)))).toEqual([])
    expect(patterns.filter((one) => !found.some((field) => one.test(field)))).toEqual([])
  })

  it('The table lists every job about a person.', async () => {
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const files = (await readdir(root, { recursive: true })).filter((name) =>
      /^(features[/].*|demo[/]mount)(?<![.]test|[.]test-[a-z]+)[.]ts$/.test(name),
    )
    const source = (await Promise.all(files.map((name) => readFile(join(root, name), 'utf8')))).join('')
    const jobs = [...source.matchAll(/name: '([a-z-]+)',\s+(?:waitsFor: '\w+',\s+)?run: (?:async )?\(payload/g)].map(
      ([, name]) => name,
    )
    expect(jobs.sort()).toEqual([...handouts.job.jobs].sort())
  })
})
