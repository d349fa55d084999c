import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { matchesAlone } from '../../test/likes.ts'
import { type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { openReview } from '../claims/open-review.ts'
import { showAnew } from '../presence/presence.ts'
import { administrator } from '../reports/cases.test-reports.ts'
import { setUnseen } from './linked.queries.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await administrator(app)
})
afterAll(() => app.close())

// Each test uses its own place.
const here = { latitude: 40, longitude: 0 }
beforeEach(() => {
  here.longitude += 4
})
const someone = (name: string) => person(app, { name, at: here })

const about = ({ id: userId }: Person) => ({ params: { userId } })
const like = async (viewer: Person, who: Person, comment?: string) => {
  const body = { decision: 'like' as const, ...(comment && { comment }) }
  return viewer.call('PUT /api/decisions/:userId', { ...about(who), body })
}
const takeBack = async (viewer: Person, who: Person) =>
  (await viewer.call('DELETE /api/decisions/:userId', about(who))).status
const rowsOf = async (query: string, ...values: unknown[]) => (await app.platform.pool.query(query, values)).rows
/** The number of likes awaiting a person's answer; each decays over time. */
const pendingOf = async ({ id }: Person) =>
  Math.round(Number((await rowsOf('select pending from standings where user_id = $1', id))[0]?.pending ?? 0))
const ofLikes = (all: { kind: string }[]) =>
  all.map(({ kind }) => kind).filter((kind) => kind === 'like' || kind === 'match')
const kindsOf = async (viewer: Person) => ofLikes((await viewer.call('GET /api/notifications')).body.notifications)
const matchesOf = async (viewer: Person) =>
  (await viewer.call('GET /api/matches')).body.matches.map(({ user }) => user.name)
const likesOf = async (viewer: Person) => (await viewer.call('GET /api/likes')).body.likes.map(({ user }) => user.name)

/** Hides a person and opens a review, as if they had come back after a ban. */
const keepUnseen = ({ id: userId }: Person) =>
  transaction(app.platform, async (tx) => {
    await openReview(tx, { kind: 'linked_account', userId, note: 'Seems to be someone banned.' })
    await setUnseen(tx.db, userId, true)
    tx.afterCommit(() => showAnew(tx, userId))
  })

async function decide({ id }: Person, action: 'dismiss' | 'warn') {
  const { body } = await admin.call('GET /api/admin/reviews', { query: { limit: 50 } })
  const review = body.reviews.find((one) => one.person.id === id)
  const ruling =
    action === 'dismiss' ? { action } : { action, ground: 'spam', statement: 'You sent spam to many people.' }
  expect((await admin.send('POST', `/api/admin/reviews/${review?.id}/decision`, ruling)).status).toBe(200)
}

async function findings(viewer: Person) {
  const { body: deck } = await viewer.call('GET /api/deck')
  const { users } = (await viewer.call('GET /api/user/nearBy', { query: {} })).body
  const ids = deck.cards.map(({ id }) => id).sort()
  const page = ids[0] && (await viewer.call('GET /api/user/:id', { params: { id: ids[0] } })).body
  return {
    ...{ ids, page, state: deck.state, today: deck.today, undoable: deck.undoable },
    may: deck.cards.map(({ canLike, mayMessage }) => [canLike, mayMessage]),
    nearby: users.map(({ id }) => id).sort(),
    pool: (await viewer.call('POST /api/pool', { body: {} })).body,
    likes: (await viewer.call('GET /api/likes')).body,
    matches: (await viewer.call('GET /api/matches')).body,
    later: (await viewer.call('GET /api/decisions', { query: { decision: 'later' } })).body,
    own: (await viewer.call('GET /api/user/:id', { params: { id: viewer.id } })).body,
    standing: (await viewer.call('GET /api/standing')).body,
  }
}

describe('someone hidden until a review', () => {
  it('A hidden person finds decks, pages and lists as before.', { tags: 'long' }, async () => {
    const [eve, ana, ben] = [await someone('Eve'), await someone('Ana'), await someone('Ben')]
    const others = [await someone('Cem'), await someone('Dee'), await someone('Flo')]
    await like(ana, eve, 'Hello')
    await like(ben, eve)
    await like(eve, ben)
    await eve.call('PUT /api/decisions/:userId', { ...about(others[0] as Person), body: { decision: 'later' } })
    const before = await findings(eve)
    expect(before.ids).toHaveLength(3)
    expect(before.may).toEqual(before.ids.map(() => [true, true]))
    await keepUnseen(eve)
    expect(await findings(eve)).toEqual(before)
  })

  it('A hidden person’s likes reach no one until the review dismisses it, and then all arrive.', async () => {
    const [eve, ana] = [await someone('Eve'), await someone('Ana')]
    await keepUnseen(eve)
    const anas = await connect(app, ana)
    const answer = await like(eve, ana, 'What a garden')
    expect([answer.status, answer.body]).toMatchObject([200, { decision: 'like', match: null, today: { likes: 1 } }])
    expect(await takeBack(eve, ana)).toBe(200)
    await like(eve, ana, 'What a garden')
    // The response arrives after every event that was sent before it on the same connection.
    await anas.ask('get_conversations')
    expect([ofLikes(anas.received('notification')), anas.received('likes_changed')]).toEqual([[], []])
    expect([await kindsOf(ana), await likesOf(ana), await pendingOf(ana)]).toEqual([[], [], 0])
    await decide(eve, 'dismiss')
    await anas.next('notification', ({ kind }) => kind === 'like')
    await anas.next('likes_changed', ({ count }) => count === 1)
    expect([await likesOf(ana), await pendingOf(ana)]).toEqual([['Eve'], 1])
    expect((await like(ana, eve)).body.match).toMatchObject({ user: { name: 'Eve' } })
  })

  it('A hidden person can retract an announced like, and no event is sent.', { tags: 'long' }, async () => {
    const [eve, ana] = [await someone('Eve'), await someone('Ana')]
    await like(eve, ana)
    await keepUnseen(eve)
    const anas = await connect(app, ana)
    expect(await takeBack(eve, ana)).toBe(200)
    await anas.ask('get_conversations')
    expect([anas.received('notifications_changed'), anas.received('likes_changed')]).toEqual([[], []])
    expect(await pendingOf(ana)).toBe(0)
  })

  it('A hidden person’s match is announced to the other person once the review dismisses it.', {
    tags: 'long',
  }, async () => {
    const [eve, ana] = [await someone('Eve'), await someone('Ana')]
    await like(ana, eve, 'Hello Eve')
    const undoable = async () => (await ana.call('GET /api/deck')).body.undoable
    await keepUnseen(eve)
    const anas = await connect(app, ana)
    expect((await like(eve, ana, 'Hello Ana')).body.match).toMatchObject({ user: { name: 'Ana' } })
    expect([await matchesOf(eve), await kindsOf(eve)]).toEqual([['Ana'], ['match']])
    await anas.ask('get_conversations')
    expect([
      anas.received('match'),
      anas.received('conversations').flat(),
      ofLikes(anas.received('notification')),
    ]).toEqual([[], [], []])
    expect([await matchesOf(ana), await kindsOf(ana), await undoable()]).toEqual([[], [], 1])
    const { registry } = await import('../data-rights/registry.ts')
    for (const table of ['matches', 'conversation_members']) {
      const { own } = (registry[table] as (typeof registry)[string]).exports as { own: { where: string } }
      expect(await rowsOf(`select from ${table} where ${own.where}`, ana.id)).toEqual([])
      expect(await rowsOf(`select from ${table} where ${own.where}`, eve.id)).toHaveLength(1)
    }
    expect(await matchesAlone(app)).toEqual([])
    await decide(eve, 'dismiss')
    expect(await anas.next('match')).toMatchObject({ user: { name: 'Eve' } })
    expect([await matchesOf(ana), await undoable()]).toEqual([['Eve'], 0])
    expect((await anas.next('conversations', ({ length }) => length > 0)).map(({ id }) => id)).toEqual([eve.id])
    const { messages } = (await ana.call('GET /api/conversations/:userId/messages', { ...about(eve), query: {} })).body
    expect(messages.map(({ message }) => message).sort()).toEqual(['Hello Ana', 'Hello Eve'])
  })

  it('A hidden person’s unannounced match ends when the other retracts their like as usual.', {
    tags: 'long',
  }, async () => {
    const [eve, ana] = [await someone('Eve'), await someone('Ana')]
    await like(ana, eve)
    await keepUnseen(eve)
    await like(eve, ana)
    expect(await takeBack(ana, eve)).toBe(200)
    expect(await matchesOf(eve)).toEqual([])
    await decide(eve, 'dismiss')
    expect([await matchesOf(ana), await likesOf(ana)]).toEqual([[], []])
  })

  it('After the review is upheld, a hidden person’s likes are listed, and no one is notified.', async () => {
    const [eve, ana] = [await someone('Eve'), await someone('Ana')]
    await keepUnseen(eve)
    await like(eve, ana)
    const anas = await connect(app, ana)
    await decide(eve, 'warn')
    await anas.ask('get_conversations')
    expect([ofLikes(anas.received('notification')), anas.received('likes_changed')]).toEqual([[], []])
    expect([await likesOf(ana), await kindsOf(ana), await pendingOf(ana)]).toEqual([['Eve'], [], 1])
  })
})
