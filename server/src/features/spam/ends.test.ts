import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { days } from '../../platform/clock.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { openReview } from '../claims/open-review.ts'
import { createHolding } from '../conversations/holding.ts'
import { appendMessage } from '../conversations/messages.queries.ts'
import { findUnheardActors } from '../likes/likes.queries.ts'
import { releaseLikes } from '../likes/telling.ts'
import { administrator, kindsFor, signInAgain, soon, standingOf } from '../reports/cases.test-reports.ts'
import { endOverdueSanctions, sanction } from '../sanctions/sanctions.ts'
import { send } from './acts.test-spam.ts'
import { setUnseen } from './linked.queries.ts'
import { releaseDue, releaseSender } from './releasing.ts'

let app: TestApp
let admins: [Person, Person]
beforeAll(async () => {
  app = await startTestApp()
  await admit()
})
afterAll(() => app.close())

/** Signs in administrators again, because their sessions expire. */
async function admit(): Promise<void> {
  admins = [await administrator(app, 'First'), await administrator(app, 'Second')]
}

const note = 'The same words to many people.'
const statement = 'You sent the same words to many people.'
const rowsOf = async (query: string, ...values: unknown[]) => (await app.platform.pool.query(query, values)).rows
const releasing = () => {
  const holding = createHolding(app.platform, { onHeld: () => undefined, onSettled: async () => undefined })
  return { holding, releaseLikes }
}
const byTheClock = async () => {
  await endOverdueSanctions(app.platform)
  await releaseDue(app.platform, releasing(), findUnheardActors)
}
/** Held messages and likes without a restriction, review or decision that explains the hold. */
const unexplained = () =>
  rowsOf(
    `select id from conversations c where held_from is not null and not is_held_back(held_from, $1)
      and is_releasable(c)
    union all select actor_id from decisions d where held and not exists (
      select from profiles p where p.user_id in (d.actor_id, d.target_id) and p.hidden) and not is_apart(actor_id, target_id)`,
    app.clock.now(),
  )

const newsOf = async (who: Person) =>
  (await kindsFor(who)).filter((kind) => ['like', 'match', 'message'].includes(kind))

const holds = {
  shadow: ({ id: userId }: Person) =>
    transaction(app.platform, async (tx) => {
      await openReview(tx, { kind: 'spam', userId, note })
      await sanction(tx, { userId, kind: 'shadow', ground: 'spam', decidedBy: null, statement: note, days: 7 })
    }),
  unseen: ({ id: userId }: Person) =>
    transaction(app.platform, async (tx) => {
      await openReview(tx, { kind: 'linked_account', userId, note })
      await setUnseen(tx.db, userId, true)
    }),
}
type Hold = keyof typeof holds

const sanctionOf = { restrict: 'restriction', suspend: 'suspension', ban: 'ban' }
type Sanctioning = keyof typeof sanctionOf

async function rule({ id }: Person, action: 'dismiss' | 'warn' | Sanctioning): Promise<void> {
  const { body } = await admins[0].call('GET /api/admin/reviews', { query: { limit: 50 } })
  const review = body.reviews.find((one) => one.person.id === id)
  const told = { ground: 'spam', statement, ...((action === 'restrict' || action === 'suspend') && { days: 2 }) }
  const ruling = action === 'dismiss' ? { action } : { action, ...told }
  expect((await admins[0].send('POST', `/api/admin/reviews/${review?.id}/decision`, ruling)).status).toBe(200)
}

async function lift({ id }: Person, kind: string): Promise<void> {
  const [row] = await rowsOf('select id from sanctions where user_id = $1 and kind = $2', id, kind)
  const body = { reason: 'They wrote to the friends of a choir.' }
  expect((await admins[1].send('POST', `/api/admin/sanctions/${row.id}/lift`, body)).status).toBe(200)
}

async function reverse(who: Person): Promise<void> {
  const [newest] = (await standingOf(who)).sanctions
  const text = 'I wrote to the friends of my choir, please look again.'
  await who.call('POST /api/appeals', { body: { sanctionId: newest?.id ?? '', text } })
  const { body } = await admins[1].call('GET /api/admin/appeals', { query: { limit: 50 } })
  const id = body.appeals.find((one) => one.person.id === who.id)?.id
  const decision = { outcome: 'reversed', answer: 'You are right, and we are sorry.' }
  expect((await admins[1].send('POST', `/api/admin/appeals/${id}/decision`, decision)).status).toBe(200)
}

/** The administrators sign in again, because their sessions have expired. */
async function pass(time: number): Promise<void> {
  app.clock.advance(time + 1_000)
  await admit()
}

interface End {
  by: string
  of: Hold
  end(who: Person): Promise<void>
  delivers: boolean
}

const ends: End[] = [
  { by: 'a week', of: 'shadow', end: () => pass(days(7)), delivers: true },
  { by: 'a dismissal', of: 'shadow', end: (who) => rule(who, 'dismiss'), delivers: true },
  { by: 'a lift', of: 'shadow', end: (who) => lift(who, 'shadow'), delivers: true },
  { by: 'a warning', of: 'shadow', end: (who) => rule(who, 'warn'), delivers: false },
  {
    by: 'a warning that an appeal reverses',
    of: 'shadow',
    async end(who) {
      await rule(who, 'warn')
      await reverse(who)
    },
    delivers: true,
  },
  { by: 'a week', of: 'unseen', end: () => pass(days(7)), delivers: true },
  { by: 'a dismissal', of: 'unseen', end: (who) => rule(who, 'dismiss'), delivers: true },
  { by: 'a warning', of: 'unseen', end: (who) => rule(who, 'warn'), delivers: true },
  {
    by: 'a warning that an appeal reverses',
    of: 'unseen',
    async end(who) {
      await rule(who, 'warn')
      await reverse(who)
    },
    delivers: true,
  },
  ...(['restrict', 'suspend', 'ban'] as const).flatMap((action) =>
    (['shadow', 'unseen'] as const).flatMap((of) => endsOf(action, of)),
  ),
]

/** The ways in which a sanction replaces a hold and then ends. Spam is delivered only if the finding was a mistake. */
function endsOf(action: Sanctioning, of: Hold): End[] {
  const kind = sanctionOf[action]
  const by = (end: string, then: (who: Person) => Promise<void>, delivers: boolean): End => ({
    by: `a ${kind} that ${end}`,
    of,
    async end(who) {
      await rule(who, action)
      await byTheClock()
      await then(who)
    },
    delivers,
  })
  const isOver = by('is over', () => pass(days(2)), of === 'unseen')
  return [
    ...(action === 'ban' ? [] : [isOver]),
    by('is lifted', (who) => lift(who, kind), true),
    // A suspension and a ban end the sessions.
    by('an appeal reverses', async (who) => reverse(await signInAgain(app, who)), true),
  ]
}

const heard = async (who: Person) =>
  (await who.call('GET /api/messages/history')).body.flatMap(({ messages = [] }) => messages.map((one) => one.message))
const write = async (from: Person, to: Person, text: string) => send(await connect(app, from), from, to, text)
const about = ({ id: userId }: Person) => ({ params: { userId } })
const like = async (viewer: Person, who: Person, comment?: string) =>
  viewer.call('PUT /api/decisions/:userId', { ...about(who), body: { decision: 'like', ...(comment && { comment }) } })

describe('what is held back', () => {
  for (const { tags, cases } of firstQuick(4, ends))
    it.each(cases)(
      'A hold ends with $by ($of), and later messages arrive.',
      { tags },
      async ({ of, end, delivers }) => {
        const [eve, ben] = (await people(app, 2)) as [Person, Person]
        await holds[of](eve)
        await write(eve, ben, 'Before')
        expect(await heard(ben)).toEqual([])
        await end(eve)
        await byTheClock()
        expect(await unexplained()).toEqual([])
        const [again, reader] = [await signInAgain(app, eve), await signInAgain(app, ben)]
        expect(await heard(reader)).toEqual(delivers ? ['Before'] : [])
        expect(await write(again, reader, 'After')).toMatchObject({ ok: true })
        expect(await heard(reader)).toEqual(['Before', 'After'])
        expect(await unexplained()).toEqual([])
      },
    )

  it('An undelivered message is mentioned in the notice to its sender, and in no other decision.', async () => {
    const [eve, ben, fay] = (await people(app, 3)) as [Person, Person, Person]
    await holds.shadow(eve)
    await write(eve, ben, 'Before')
    await rule(eve, 'warn')
    expect((await standingOf(eve)).sanctions).toMatchObject([{ kind: 'warning', undelivered: true }])
    const mail = await soon(() => app.mails.find(({ to, subject }) => to === eve.email && /decision/.test(subject)))
    expect(mail.text).toContain("weren't delivered")
    await holds.unseen(fay)
    await write(fay, ben, 'Before')
    await rule(fay, 'warn')
    expect((await standingOf(fay)).sanctions[0]).not.toHaveProperty('undelivered')
  })

  it('A held message is released by its own decision, not by one about later messages.', async () => {
    const [eve, ben, cem] = (await people(app, 3)) as [Person, Person, Person]
    await holds.shadow(eve)
    await write(eve, ben, 'First')
    await rule(eve, 'warn')
    await holds.shadow(eve)
    await write(eve, cem, 'Second')
    await rule(eve, 'dismiss')
    expect([await heard(ben), await heard(cem)]).toEqual([[], ['Second']])
    await lift(eve, 'warning')
    await expect.poll(() => heard(ben)).toEqual(['First'])
  })

  it('A held message stays held while its sender is restricted, and the sender gets `restricted`.', async () => {
    const [eve, ben] = (await people(app, 2)) as [Person, Person]
    await holds.shadow(eve)
    await write(eve, ben, 'Before')
    await rule(eve, 'restrict')
    expect(await write(eve, ben, 'After')).toMatchObject({ ok: false, code: 'restricted' })
    expect(await heard(ben)).toEqual([])
  })

  it('A held message isn’t released when its sender repeats it.', async () => {
    const [eve, ben] = (await people(app, 2)) as [Person, Person]
    const device = await connect(app, eve)
    await holds.shadow(eve)
    await send(device, eve, ben, 'Before', 'one')
    await rule(eve, 'warn')
    expect(await send(device, eve, ben, 'Before', 'one')).toMatchObject({ ok: true, message: { seq: 1 } })
    expect(await heard(ben)).toEqual([])
  })

  it('A held message is released when a restriction ends while it is being sent.', async () => {
    const [eve, ben] = (await people(app, 2)) as [Person, Person]
    await holds.shadow(eve)
    const sending = await app.platform.db.startTransaction().execute()
    const now = app.clock.now()
    const message = { senderId: eve.id, receiverId: ben.id, id: 'one', body: 'Under way', sentAt: now.toISOString() }
    await appendMessage(sending, message, now)
    await lift(eve, 'shadow')
    await byTheClock()
    await sending.commit().execute()
    await byTheClock()
    expect(await unexplained()).toEqual([])
    expect(await heard(ben)).toEqual(['Under way'])
  })

  it.each(['sender', 'receiver'] as const)(
    'A held message doesn’t come through a block by its %s.',
    async (blocker) => {
      const [eve, ben] = (await people(app, 2)) as [Person, Person]
      const bens = await connect(app, ben)
      await holds.shadow(eve)
      await write(eve, ben, 'Before')
      const [one, other] = blocker === 'sender' ? [eve, ben] : [ben, eve]
      await one.call('PUT /api/blocks/:userId', about(other))
      await rule(eve, 'dismiss')
      await byTheClock()
      await bens.ask('get_conversations')
      expect([await heard(ben), await newsOf(ben), bens.received('private message')]).toEqual([[], [], []])
      await one.call('DELETE /api/blocks/:userId', about(other))
      expect(await heard(ben)).toEqual(['Before'])
    },
  )

  it('A held message from a sender who awaits erasure arrives only when they stay.', async () => {
    const [eve, ben] = (await people(app, 2)) as [Person, Person]
    await holds.shadow(eve)
    await write(eve, ben, 'Before')
    await eve.call('POST /api/erasure', { body: {} })
    await rule(eve, 'dismiss')
    await byTheClock()
    expect([await heard(ben), await newsOf(ben)]).toEqual([[], []])
    await eve.call('DELETE /api/erasure')
    expect(await heard(ben)).toEqual(['Before'])
  })
})

// Each test uses its own place.
let longitude = 0
const nearby = (name: string) => person(app, { name, at: { latitude: 30, longitude } })
const likesOf = async (viewer: Person) => (await viewer.call('GET /api/likes')).body.likes.map(({ comment }) => comment)

describe('likes of an unseen person', () => {
  it('After a week without a decision, a hidden person’s likes are delivered, and the review stays open.', async () => {
    longitude += 4
    const [eve, ana, ben] = [await nearby('Eve'), await nearby('Ana'), await nearby('Ben')]
    await like(ben, eve, 'Hello Eve')
    await holds.unseen(eve)
    for (const one of [ana, ben]) await like(eve, one, 'Hello')
    await pass(days(7))
    await byTheClock()
    const [anas, bens] = [await signInAgain(app, ana), await signInAgain(app, ben)]
    expect([await likesOf(anas), await newsOf(anas)]).toEqual([['Hello'], ['like']])
    expect([(await heard(bens)).sort(), await newsOf(bens)]).toEqual([['Hello', 'Hello Eve'], ['match']])
    expect(await rowsOf(`select from reviews where user_id = $1 and state = 'open'`, eve.id)).toHaveLength(1)
    expect(await unexplained()).toEqual([])
  })

  it.each(['eve', 'ana'] as const)(
    'A hidden person’s likes wait while one of the two (%s) awaits erasure.',
    async (name) => {
      longitude += 4
      const [eve, ana] = [await nearby('Eve'), await nearby('Ana')]
      await like(ana, eve, 'Hello Eve')
      await holds.unseen(eve)
      await like(eve, ana, 'Hello Ana')
      const gone = name === 'eve' ? eve : ana
      await gone.call('POST /api/erasure', { body: {} })
      await rule(eve, 'dismiss')
      await byTheClock()
      expect(await newsOf(ana)).toEqual([])
      await gone.call('DELETE /api/erasure')
      await byTheClock()
      expect([(await heard(ana)).sort(), await newsOf(ana)]).toEqual([['Hello Ana', 'Hello Eve'], ['match']])
    },
  )

  it('A hidden person’s likes are released in batches, so that thousands of likes don’t take thousands of locks.', async () => {
    const [eve, ...targets] = (await people(app, 4)) as [Person, ...Person[]]
    await holds.unseen(eve)
    for (const { id } of targets)
      await rowsOf(
        `insert into decisions (actor_id, target_id, decision, held, decided_at) values ($1, $2, 'like', true, $3)`,
        ...[eve.id, id, app.clock.now()],
      )
    await rowsOf('update accounts set unseen = false where id = $1', eve.id)
    let parts = 0
    const counted = async (...given: Parameters<typeof releaseLikes>) => {
      parts += 1
      return releaseLikes(given[0], given[1], given[2], 2)
    }
    await releaseSender(app.platform, eve.id, { ...releasing(), releaseLikes: counted })
    expect([parts, await unexplained()]).toEqual([2, []])
  })
})

describe('the comment of a like', () => {
  it('A like’s comment is held like a message, and a later one is readable.', async () => {
    longitude += 4
    const [eve, ana] = [await nearby('Eve'), await nearby('Ana')]
    await holds.shadow(eve)
    await like(eve, ana, 'Before')
    expect(await likesOf(ana)).toEqual([null])
    await rule(eve, 'warn')
    expect(await likesOf(ana)).toEqual([null])
    await like(eve, ana, 'After')
    expect(await likesOf(ana)).toEqual(['After'])
  })
})
