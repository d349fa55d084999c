import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addPhoto } from '../../test/attachments.ts'
import { type Person, people, person } from '../../test/people.ts'
import { pair } from '../../test/talk.ts'
import { readContent } from '../data-rights/export-content.ts'
import { kept, message, profile, receiptOf, report, say } from './acts.test-reports.ts'
import { administrator, sanctioned, signInAgain } from './cases.test-reports.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await administrator(app)
})
afterAll(() => app.close())

const to = ({ id }: Person) => ({ params: { userId: id } })
const at = ({ id }: Person, seq: number) => ({ params: { userId: id, seq } })
const here = { latitude: 52.52, longitude: 13.405 }

async function match(one: Person, other: Person): Promise<void> {
  for (const who of [one, other]) await who.call('PATCH /api/user/updateLocation', { body: here })
  for (const [from, target] of [
    [one, other],
    [other, one],
  ] as const)
    await from.call('PUT /api/decisions/:userId', { ...to(target), body: { decision: 'like' } })
}

const pastOf = async (who: Person) => (await who.call('GET /api/reports/past-contacts', { query: {} })).body.people
const unmatch = (ben: Person, ana: Person) => ben.call('DELETE /api/matches/:userId', to(ana))
const block = (ben: Person, ana: Person) => ben.call('PUT /api/blocks/:userId', to(ana))
const erase = async (ben: Person) => (await signInAgain(app, ben)).call('POST /api/erasure', { body: {} })
const takeBack = (ben: Person, ana: Person, seq: number) =>
  ben.call('DELETE /api/conversations/:userId/messages/:seq', at(ana, seq))
const edit = (ben: Person, ana: Person, seq: number, text: string) =>
  ben.call('PATCH /api/conversations/:userId/messages/:seq', { ...at(ana, seq), body: { message: text } })
const threat = 'You will regret this'

interface Act {
  /** What the offender does or what happens to them. `seq` is the number of the threatening message. */
  run: (ben: Person, ana: Person, seq: number) => Promise<unknown>
  gone: boolean
}

const acts: Record<string, Act> = {
  unmatched: { run: unmatch, gone: true },
  'blocked by them': { run: block, gone: true },
  'blocked by the reporter': { run: (ben, ana) => block(ana, ben), gone: true },
  'unmatched by the reporter': { run: (ben, ana) => unmatch(ana, ben), gone: true },
  'erased within 14 days': { run: erase, gone: true },
  suspended: { run: (ben) => sanctioned(app, admin, ben.id, { action: 'suspend', days: 30 }), gone: true },
  banned: { run: (ben) => sanctioned(app, admin, ben.id, { action: 'ban' }), gone: true },
  'edited away': { run: (ben, ana, seq) => edit(ben, ana, seq, 'Good morning'), gone: false },
  'taken back': { run: takeBack, gone: false },
  'taken off their list': { run: (ben, ana) => ben.call('DELETE /api/conversations/:userId', to(ana)), gone: false },
  'edited, taken back and unmatched': {
    run: async (ben, ana, seq) => {
      await edit(ben, ana, seq, 'Good morning')
      await takeBack(ben, ana, seq)
      await unmatch(ben, ana)
    },
    gone: true,
  },
}

describe('evidence of threats', () => {
  it.each(Object.entries(acts))('a threat can be reported after its sender was %s', async (_, { run, gone }) => {
    const [ana, ben, , socket] = await pair(app)
    await match(ana, ben)
    const { seq } = await say(ben, ana, socket, threat)
    await run(ben, ana, seq)
    expect((await pastOf(ana)).map(({ id }) => id)).toEqual(gone ? [ben.id] : [])
    const subjects = gone ? [profile, message(seq)] : [message(seq)]
    for (const subject of subjects) {
      const receipt = await receiptOf(ana, ben.id, subject, { reason: 'threats' })
      const { evidence, reported } = await kept(admin, receipt)
      const found = evidence.messages.find((one) => one.seq === seq)
      expect([found?.text, ...(found?.earlier ?? []).map(({ text }) => text)]).toContain(threat)
      expect(reported.name).toBe(ben.name)
    }
  })

  it('evidence of a threat includes the deleted photo, which its sender and receiver no longer see', async () => {
    const [ana, ben, , socket] = await pair(app)
    const { seq, attachment } = await say(ben, ana, socket, '', { attachmentId: (await addPhoto(ben, ana)).id })
    await takeBack(ben, ana, seq)
    expect((await fetch(app.url + attachment?.url)).status).toBe(404)
    const { evidence } = await kept(admin, await receiptOf(ana, ben.id, message(seq)))
    expect(evidence.messages[0]).toMatchObject({ attachment: { kind: 'photo', fileName: expect.any(String) } })
    expect((await fetch(app.url + evidence.messages[0]?.attachment?.url)).status).toBe(200)
  })

  it('evidence of a threat excludes messages that the reporter deleted', async () => {
    const [ana, ben, socket, benSocket] = await pair(app)
    const own = await say(ana, ben, socket, 'My address is 12 Lime Street')
    const { seq } = await say(ben, ana, benSocket, threat)
    await takeBack(ana, ben, own.seq)
    const { evidence } = await kept(admin, await receiptOf(ana, ben.id, message(seq)))
    expect(JSON.stringify(evidence)).not.toContain('Lime Street')
    expect(evidence.messages).toHaveLength(2)
  })
})

describe('the earlier text of a deleted or edited message', () => {
  it('the earlier text of a message is in its sender’s export, and in nobody else’s', async () => {
    const [ana, ben, , socket] = await pair(app)
    const { seq } = await say(ben, ana, socket, threat)
    await takeBack(ben, ana, seq)
    const exported = async (who: Person) => JSON.stringify(await readContent(app.platform.db, who.id))
    expect(await exported(ben)).toContain(threat)
    expect(await exported(ana)).not.toContain(threat)
  })

  it('the earlier text of a message is erased with its sender’s or receiver’s account', async () => {
    const [ana, ben, , socket] = await pair(app)
    const { seq } = await say(ben, ana, socket, threat)
    await takeBack(ben, ana, seq)
    const left = () =>
      app.platform.db.selectFrom('message_versions').where('sender_id', '=', ben.id).select('seq').execute()
    expect(await left()).toEqual([{ seq }])
    await app.platform.db.deleteFrom('accounts').where('id', '=', ana.id).execute()
    expect(await left()).toEqual([])
  })
})

describe('past contacts', () => {
  it('past contacts include matches without a message, and can be reported', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    await match(ana, ben)
    await block(ben, ana)
    expect(await pastOf(ana)).toEqual([{ id: ben.id, name: ben.name, since: expect.any(String), matched: true }])
    const { evidence } = await kept(admin, await receiptOf(ana, ben.id, profile, { reason: 'offline_harm' }))
    expect(evidence).toEqual({ profile: null, photos: [], messages: [] })
  })

  it('past contacts exclude strangers: reporting a stranger who blocks you fails as for an unknown person', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    await block(ben, ana)
    expect(await pastOf(ana)).toEqual([])
    expect((await report(ana, ben.id)).status).toBe(404)
  })

  it('past contacts keep the name that the reporter knew, whatever they call themselves later', async () => {
    const [ana, ben, , socket] = await pair(app)
    await say(ben, ana, socket, threat)
    await block(ben, ana)
    for (const name of ['Bernard', 'Bo']) await ben.call('PATCH /api/user/updateUser', { body: { name } })
    expect((await pastOf(ana)).map(({ name }) => name)).toEqual([ben.name])
    const receipt = await receiptOf(ana, ben.id)
    expect((await kept(admin, receipt)).reported.name).toBe(ben.name)
    expect((await ana.call('GET /api/reports')).body.reports[0]?.name).toBe(ben.name)
  })

  it('past contacts keep the name that the reporter knew when a moderator removes it, and when it is restored', async () => {
    const [ana, bea, ben] = (await people(app, 3)) as [Person, Person, Person]
    const named = async () => [await pastOf(ana), await pastOf(bea)].map((past) => past.map(({ name }) => name))
    await match(ana, ben)
    await unmatch(ben, ana)
    app.clock.advance(1_000)
    await sanctioned(app, admin, ben.id, { action: 'remove_item', parts: ['name'] })
    await match(bea, ben)
    await unmatch(ben, bea)
    const known = [[ben.name], ['Someone']]
    expect(await named()).toEqual(known)
    app.clock.advance(1_000)
    const id = (await ben.call('GET /api/standing')).body.sanctions[0]?.id ?? ''
    const reason = 'The report was a mix-up of names.'
    await admin.call('POST /api/admin/sanctions/:id/lift', { params: { id }, body: { reason } })
    expect((await ben.call('GET /api/user/myDetails')).body.name).toBe(ben.name)
    expect(await named()).toEqual(known)
  })

  it('past contacts come in pages, newest first, and disappear after twelve months', async () => {
    const ana = await person(app)
    const gone = await people(app, 3)
    for (const one of gone) {
      await match(one, ana)
      await unmatch(one, ana)
      app.clock.advance(1)
    }
    const first = await ana.call('GET /api/reports/past-contacts', { query: { limit: 2 } })
    const cursor = first.body.nextCursor as string
    const second = await ana.call('GET /api/reports/past-contacts', { query: { limit: 2, cursor } })
    const listed = [...first.body.people, ...second.body.people].map(({ id }) => id)
    expect(listed).toEqual(gone.map(({ id }) => id).reverse())
    expect(second.body.nextCursor).toBeNull()
    app.clock.advance(days(366))
    const later = await signInAgain(app, ana)
    expect(await pastOf(later)).toEqual([])
    expect((await report(later, gone[0]?.id ?? '')).status).toBe(404)
    app.clock.advance(-days(366))
  })
})

describe('repeated reports', () => {
  it('a repeated report adds the current profile, once for each change', async () => {
    const [ana, ben] = [await person(app), await person(app, { bio: 'harmless' })]
    const bio = (text: string) => ben.call('PATCH /api/user/updateUser', { body: { bio: text } })
    const receipt = await receiptOf(ana, ben.id, profile, { reason: 'other' })
    await bio('I will kill all of you')
    for (const reason of ['threats', 'threats'] as const) await receiptOf(ana, ben.id, profile, { reason })
    await bio('harmless again')
    const { evidence, changedSince } = await kept(admin, receipt)
    expect(evidence.profile?.bio).toBe('harmless')
    expect(evidence.later?.map((one) => one.profile?.bio)).toEqual(['I will kill all of you'])
    expect(changedSince).not.toBeNull()
    await receiptOf(ana, ben.id)
    expect((await kept(admin, receipt)).changedSince).toBeNull()
  })

  it('a repeated report adds a message edited since, and the messages that followed it', async () => {
    const [ana, ben, , socket] = await pair(app)
    const { seq } = await say(ben, ana, socket, 'Hello')
    const receipt = await receiptOf(ana, ben.id, message(seq))
    await edit(ben, ana, seq, threat)
    await receiptOf(ana, ben.id, message(seq))
    await say(ben, ana, socket, 'Soon')
    await receiptOf(ana, ben.id, message(seq))
    const { evidence } = await kept(admin, receipt)
    expect(evidence.messages.map(({ text }) => text)).toEqual(['Hello'])
    expect(evidence.later?.map(({ messages }) => messages.map(({ text }) => text))).toEqual([
      [threat],
      [threat, 'Soon'],
    ])
  })

  it('a repeated report adds the same sighting once, however many devices send it', { tags: 'race' }, async () => {
    const [ana, ben] = [await person(app), await person(app, { bio: 'harmless' })]
    const receipt = await receiptOf(ana, ben.id)
    await ben.call('PATCH /api/user/updateUser', { body: { bio: threat } })
    await Promise.all(Array.from({ length: 6 }, () => receiptOf(ana, ben.id)))
    expect((await kept(admin, receipt)).evidence.later).toHaveLength(1)
  })

  it('a repeated report counts toward the daily limit when it shows something new', { tags: 'long' }, async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    const [ana, ben] = [await person(strict), await person(strict)]
    const statuses: number[] = []
    for (let count = 0; count <= 20; count++) {
      await ben.call('PATCH /api/user/updateUser', { body: { bio: `Version ${count}` } })
      statuses.push((await report(ana, ben.id)).status)
    }
    expect(statuses).toEqual([...Array(20).fill(201), 429])
    await strict.close()
  })
})
