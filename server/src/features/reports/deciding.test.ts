import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { type Client, connect } from '../../test/sockets.ts'
import { verifyChain } from '../audit/audit.ts'
import { kept, message, openReports, receiptOf, report, say } from './acts.test-reports.ts'
import {
  administrator,
  decide,
  kindsFor,
  sanctioned,
  signInAgain,
  soon,
  standingOf,
  statement,
  told,
} from './cases.test-reports.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await administrator(app)
})
afterAll(() => app.close())

const mailTo = (who: Person) =>
  soon(() => app.mails.findLast(({ to, subject }) => to === who.email && /decisi[oó]n/.test(subject)))
const claim = (who: Person, receipt: string) => who.send('PUT', `/api/admin/claims/report/${receipt}`)

describe('a decision', () => {
  it('A decision closes the report, tells the person what was decided, why, by whom and how to appeal, and tells the reporter the outcome.', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const receipt = await receiptOf(ana, ben.id)
    expect((await decide(admin, receipt, { action: 'warn', ...told })).status).toBe(200)
    expect((await openReports(admin)).some((one) => one.receipt === receipt)).toBe(false)
    const { standing, sanctions } = await standingOf(ben)
    expect(standing).toBe('good')
    expect(sanctions).toMatchObject([
      { kind: 'warning', ground: 'scam', statement, automated: false, endsAt: null, appeal: null },
    ])
    expect(await kindsFor(ben)).toContain('sanctioned')
    const { text } = await mailTo(ben)
    for (const part of [statement, 'a warning', 'ask for money', 'by a person', '/standing', 'appeal until'])
      expect(text).toContain(part)
    expect(await kindsFor(ana)).toContain('report_upheld')
    expect((await ana.call('GET /api/reports')).body.reports).toMatchObject([{ state: 'closed', outcome: 'upheld' }])
  })

  it('A decision is announced in the person’s language, and the moderator sees which.', async () => {
    const ben = await person(app)
    await ben.call('PUT /api/user/language', { body: { language: 'es' } })
    const receipt = await receiptOf(await person(app), ben.id)
    expect((await openReports(admin)).find((one) => one.receipt === receipt)?.language).toBe('es')
    await decide(admin, receipt, { action: 'restrict', days: 7, ...told })
    const { subject, text } = await mailTo(ben)
    expect(subject).toBe('Una decisión sobre tu cuenta de Duet')
    for (const part of [statement, 'No pidas dinero', 'Dura hasta el', 'puedes recurrir hasta el', '/standing'])
      expect(text).toContain(part)
  })

  it('A dismissal notifies only the reporter.', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    expect((await decide(admin, await receiptOf(ana, ben.id), { action: 'dismiss' })).status).toBe(200)
    expect(await kindsFor(ana)).toContain('report_dismissed')
    expect(await kindsFor(ben)).toEqual(['welcome'])
    expect((await standingOf(ben)).sanctions).toEqual([])
  })

  it('A decision on all of a subject closes its other open reports, and no others.', { tags: 'long' }, async () => {
    const [ana, cem, ben] = (await people(app, 3)) as [Person, Person, Person]
    const [first, second] = [await receiptOf(ana, ben.id), await receiptOf(cem, ben.id)]
    const other = await receiptOf(await person(app), ana.id)
    await decide(admin, first, { action: 'dismiss', allOfSubject: true })
    const open = (await openReports(admin)).map(({ receipt }) => receipt)
    expect([open.includes(second), open.includes(other)]).toEqual([false, true])
    expect(await kindsFor(cem)).toContain('report_dismissed')
  })

  it('A decision on all of one message leaves messages with the same number in other conversations alone.', {
    tags: 'long',
  }, async () => {
    const [ana, cem, ben] = (await people(app, 3)) as [Person, Person, Person]
    const socket = await connect(app, ben)
    const receipts: string[] = []
    for (const one of [ana, cem]) {
      const { seq = 1 } = await say(ben, one, socket, `Hello ${one.id}`)
      receipts.push(await receiptOf(one, ben.id, message(seq)))
    }
    const [first = '', second = ''] = receipts
    await decide(admin, first, { action: 'dismiss', allOfSubject: true, falseReport: true })
    const open = (await openReports(admin)).map(({ receipt }) => receipt)
    expect([open.includes(first), open.includes(second)]).toEqual([false, true])
    expect(await kindsFor(cem)).not.toContain('report_dismissed')
  })

  it('Of two concurrent decisions, one gets a conflict.', {
    tags: 'race',
  }, async () => {
    const second = await administrator(app, 'Second')
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const receipt = await receiptOf(ana, ben.id)
    const both = await Promise.all([
      decide(admin, receipt, { action: 'warn', ...told }),
      decide(second, receipt, { action: 'ban', ...told }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await standingOf(await signInAgain(app, ben))).sanctions).toHaveLength(1)
  })

  it('A decision waits while another administrator’s claim lasts, for ten minutes.', async () => {
    const second = await administrator(app, 'Zoe')
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const receipt = await receiptOf(ana, ben.id)
    expect((await claim(second, receipt)).body).toMatchObject({ by: { id: second.id, name: 'Zoe' } })
    const refused = await claim(admin, receipt)
    expect([refused.status, refused.body.detail]).toEqual([409, 'Zoe is deciding this.'])
    expect((await decide(admin, receipt, { action: 'dismiss' })).status).toBe(409)
    expect((await kept(admin, receipt)).claim).toMatchObject({ by: { name: 'Zoe' } })
    app.clock.advance(10 * 60_000 + 1_000)
    expect((await decide(admin, receipt, { action: 'dismiss' })).status).toBe(200)
    expect((await claim(admin, receipt)).status).toBe(404)
  })

  it('An administrator can’t decide a report about or by themselves.', async () => {
    const second = await administrator(app, 'Second')
    const ana = await person(app)
    const aboutSecond = await receiptOf(ana, second.id)
    expect((await openReports(second)).some(({ receipt }) => receipt === aboutSecond)).toBe(false)
    expect((await decide(second, aboutSecond, { action: 'dismiss' })).status).toBe(403)
    const own = await receiptOf(second, ana.id)
    expect((await kept(second, own)).mayDecide).toBe(false)
    expect((await decide(second, own, { action: 'ban', ...told })).status).toBe(403)
    expect((await decide(admin, own, { action: 'dismiss' })).status).toBe(200)
  })

  it('A super administrator can’t be sanctioned; the error explains the first step.', async () => {
    const second = await administrator(app, 'Second')
    const receipt = await receiptOf(await person(app), second.id)
    const { status, body } = await decide(admin, receipt, { action: 'ban', ...told })
    expect([status, body.code]).toEqual([403, 'forbidden'])
    expect(body.detail).toContain('npm run admin -- revoke')
    expect((await decide(admin, receipt, { action: 'dismiss' })).status).toBe(200)
  })

  it.each([
    { action: 'warn' },
    { action: 'warn', ground: 'scam', statement: 'too short' },
    { action: 'warn', ground: 'nothing', statement },
    { action: 'restrict', ...told },
    { action: 'suspend', ...told, days: 0 },
    { action: 'suspend', ...told, days: 366 },
    { action: 'ban', ...told, days: 3 },
    { action: 'ban', ...told, falseReport: true },
    { action: 'shadow', ...told },
  ])('An incomplete decision is refused: %j', async (decision) => {
    const receipt = await receiptOf(await person(app), (await person(app)).id)
    expect((await decide(admin, receipt, decision)).status).toBe(400)
  })
})

it('Concurrent decisions, profile changes, photos and messages about the same people all succeed.', {
  tags: ['long', 'race'],
}, async () => {
  const second = await administrator(app, 'Second')
  const crowd = await people(app, 6)
  const sockets = await Promise.all(crowd.map((one) => connect(app, one)))
  const at = (n: number) => crowd[n % crowd.length] as Person
  for (const [n, one] of crowd.entries())
    for (const by of [1, 2]) await say(one, at(n + by), sockets[n] as Client, 'Send me money')
  const receipts: string[] = []
  for (const [n, one] of crowd.entries()) {
    receipts.push(await receiptOf(at(n + 1), one.id), await receiptOf(at(n + 1), one.id, message(1)).catch(() => ''))
    receipts.push(await receiptOf(at(n + 2), one.id))
  }
  const acts = ['remove_item', 'warn', 'restrict', 'remove_item', 'dismiss', 'suspend']
  const decisionOf = (n: number) => {
    const action = acts[n % acts.length]
    if (action === 'dismiss') return { action, allOfSubject: true }
    return { action, ...told, ...((action === 'restrict' || action === 'suspend') && { days: 3 }) }
  }
  const statuses = await Promise.all([
    ...receipts
      .filter(Boolean)
      .flatMap((receipt, n) => [
        decide(admin, receipt, decisionOf(n)).then(({ status }) => status),
        decide(second, receipt, decisionOf(n + 1)).then(({ status }) => status),
      ]),
    ...crowd.flatMap((one, n) => [
      one.call('PATCH /api/user/updateUser', { body: { bio: `Words ${n}` } }).then(({ status }) => status),
      one.call('PATCH /api/user/updateUser', { body: { name: `Name ${n}` } }).then(({ status }) => status),
    ]),
    ...crowd.flatMap((one, n) =>
      [1, 2].map((by) =>
        say(one, at(n + by), sockets[n] as Client, 'Hi').then(
          () => 200,
          () => 400,
        ),
      ),
    ),
  ])
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(await verifyChain(app.platform)).toMatchObject({ firstBroken: null })
})

describe('an item is removed', () => {
  it('A removed message is gone for both, as if its sender had deleted it, and the evidence stays.', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
    const { seq } = await say(ben, ana, benSocket, 'Send me money')
    const receipt = await receiptOf(ana, ben.id, message(seq ?? 1))
    expect((await decide(admin, receipt, { action: 'remove_item', ...told })).status).toBe(200)
    expect(await anaSocket.next('message_changed')).toMatchObject({ seq, message: '' })
    const rows = await ana.call('GET /api/conversations/:userId/messages', { params: { userId: ben.id } })
    expect(JSON.stringify(rows.body)).not.toContain('Send me money')
    const evidence = await app.platform.db
      .selectFrom('reports')
      .select('evidence')
      .where('receipt', '=', receipt)
      .execute()
    expect(JSON.stringify(evidence)).toContain('Send me money')
    expect((await standingOf(ben)).sanctions).toMatchObject([{ kind: 'item_removed', item: 'message' }])
  })

  it('A removed profile text is empty for everyone.', async () => {
    const [ana, ben] = [await person(app), await person(app, { bio: 'Send me money' })]
    await decide(admin, await receiptOf(ana, ben.id), { action: 'remove_item', ...told })
    expect((await ana.call('GET /api/user/:id', { params: { id: ben.id } })).body.bio).toBe('')
  })

  it('Removing an item that is already gone is a conflict, and nothing is decided.', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const { seq } = await say(ben, ana, await connect(app, ben), 'Send me money')
    const receipt = await receiptOf(ana, ben.id, message(seq ?? 1))
    await ben.call('DELETE /api/conversations/:userId/messages/:seq', {
      params: { userId: ana.id, seq: String(seq) },
    } as never)
    expect((await decide(admin, receipt, { action: 'remove_item', ...told })).status).toBe(409)
    expect((await standingOf(ben)).sanctions).toEqual([])
  })
})

describe('the list', () => {
  it('The report list shows strikes, other reports about the person, and the usual next step.', async () => {
    const [ana, cem, ben] = (await people(app, 3)) as [Person, Person, Person]
    const first = await receiptOf(ana, ben.id)
    expect(await kept(admin, first)).toMatchObject({
      strikes: 0,
      suggested: 'warn',
      others: [],
      changedSince: null,
      claim: null,
    })
    await sanctioned(app, admin, ben.id)
    const second = await receiptOf(cem, ben.id)
    expect(await kept(admin, first)).toMatchObject({ strikes: 1, suggested: 'restrict', others: [{ receipt: second }] })
  })

  it('The report list shows whether the person has changed their name, texts or photos since.', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const receipt = await receiptOf(ana, ben.id)
    await ben.call('PATCH /api/user/updateUser', { body: { pronouns: 'they' } })
    expect((await kept(admin, receipt)).changedSince).toBeNull()
    await ben.call('PATCH /api/user/updateUser', { body: { bio: 'Someone else now' } })
    expect((await kept(admin, receipt)).changedSince).toEqual(expect.any(String))
  })

  it('The report list puts trusted reporters first, and those wrong in five reports last.', {
    tags: 'long',
  }, async () => {
    const [trusted, unknown, never] = (await people(app, 3)) as [Person, Person, Person]
    for (const [who, action] of [
      [trusted, 'warn'],
      [never, 'dismiss'],
    ] as const)
      for (let n = 0; n < 5; n++) {
        const receipt = await receiptOf(who, (await person(app)).id)
        await decide(admin, receipt, action === 'warn' ? { action, ...told } : { action })
      }
    const made: string[] = []
    for (const who of [never, unknown, trusted]) {
      made.push(await receiptOf(who, (await person(app)).id))
      app.clock.advance(1_000)
    }
    app.clock.advance(60_000)
    const listed = await openReports(admin, 3)
    const order = listed.map(({ receipt }) => receipt).filter((receipt) => made.includes(receipt))
    expect(order).toEqual([made[2], made[1], made[0]])
    expect(listed.find(({ receipt }) => receipt === made[2])?.trust).toEqual({ decided: 5, upheldShare: 1 })
    expect(listed.at(-1)?.receipt).toBe(made[0])
  })
})

it('Three false reports within ninety days pause reporting, with a statement that can be appealed.', async () => {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  for (let n = 0; n < 3; n++) {
    expect((await report(ana, ben.id)).status).toBe(201)
    const { body } = await ana.call('GET /api/reports')
    await decide(admin, body.reports[0]?.receipt ?? '', { action: 'dismiss', falseReport: true })
  }
  const refused = await report(ana, ben.id)
  expect([refused.status, refused.body.code]).toEqual([403, 'restricted'])
  expect(refused.body.detail).toContain('3 of your reports')
  const { standing, sanctions } = await standingOf(ana)
  expect(standing).toBe('good')
  expect(sanctions).toMatchObject([{ kind: 'reporting_restriction', automated: true, appealUntil: expect.any(String) }])
  expect((await ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })).status).toBe(200)
})

it('Every decision and view is in the audit log, which stays intact.', async () => {
  const { body } = await admin.call('GET /api/admin/audit', { query: { limit: 50 } })
  const actions = new Set(body.entries.map(({ action }) => action))
  for (const action of ['report_decided', 'sanctioned_warning', 'evidence_viewed']) expect(actions).toContain(action)
  expect(JSON.stringify(body)).not.toContain('Send me money')
  expect(await verifyChain(app.platform)).toMatchObject({ firstBroken: null })
})
