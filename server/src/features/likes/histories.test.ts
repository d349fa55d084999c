import type { Notification, NotificationKind } from '@duet/contract/notifications.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rounds } from '../../../../tools/tier.ts'
import { minutes } from '../../platform/clock.ts'
import { drawBelow, seededRandom } from '../../platform/random.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { received } from '../../test/likes.ts'
import { type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'
import { untold } from '../notifications/notifications.ts'
import { publishMoves } from '../places/places.ts'
import { releaseMoved } from './moved.ts'

/*
 * In random histories of a few people, every notification links to something that exists, and the receiver of a like
 * can answer it as soon as both people's locations are published.
 */

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const names = ['Ana', 'Ben', 'Cem']
const placesAt = (longitude: number) => [
  { latitude: 48, longitude },
  { latitude: 48.09, longitude },
  { latitude: 48.02, longitude: longitude + 0.03 },
  { latitude: 44, longitude },
]

async function isThere(viewer: Person, { kind, link, params }: News) {
  const id = (link ?? '').slice(-36)
  const places: Partial<Record<NotificationKind, () => Promise<boolean>>> = {
    like: async () => (await received(viewer)).likes.some(({ user }) => user.name === params.name),
    match: async () => (await viewer.call('GET /api/matches')).body.matches.some(({ user }) => user.id === id),
    nearby: async () => (await viewer.call('GET /api/user/:id', { params: { id } })).status === 200,
    message: async () => (await viewer.call('GET /api/messages/history')).body.some(({ user }) => user.id === id),
    welcome: async () => id === viewer.id,
  }
  return (await places[kind]?.()) ?? false
}

type News = Pick<Notification, 'kind' | 'link' | 'params'>

/**
 * The notifications sent to this person since the last call. Notifications about newcomers and messages arrive a moment
 * later, when the next step may have hidden what they are about, so those are checked against the current list.
 */
async function newlySent(viewer: Person, seen: Set<string>): Promise<News[]> {
  const { rows } = await app.platform.pool.query('select * from notifications where user_id = $1', [viewer.id])
  const keyOf = ({ id, created_at: at }: { id: string; created_at: Date }) => `${id} ${at.getTime()}`
  const fresh = rows.filter((row) => !seen.has(keyOf(row)))
  for (const row of fresh) seen.add(keyOf(row))
  return fresh.filter(({ kind }) => kind !== 'nearby' && kind !== 'message')
}

async function shownNow(viewer: Person): Promise<News[]> {
  const { notifications } = (await viewer.call('GET /api/notifications')).body
  const unread = 'select id from notifications where user_id = $1 and not read'
  const { rows } = await app.platform.pool.query(unread, [viewer.id])
  const pushed = await Promise.all(rows.map(({ id }) => untold(app.platform, id)))
  return [...notifications.filter(({ read }) => !read), ...pushed.flatMap((one) => one ?? [])] as News[]
}

async function leadingNowhere(viewer: Person, news: News[]): Promise<string[]> {
  const lost: string[] = []
  for (const one of news) if (!(await isThere(viewer, one))) lost.push(one.kind)
  return lost
}

type Act = (who: Person, other: Person) => Promise<unknown>
const decide =
  (decision: 'like' | 'pass' | 'later'): Act =>
  (who, { id: userId }) =>
    who.call('PUT /api/decisions/:userId', { params: { userId }, body: { decision } })
const answer: Act = async (who, other) => {
  const [one] = (await received(who)).likes
  return one && decide('like')(who, { ...other, id: one.user.id })
}
const block: Act = (who, { id: userId }) => who.call('PUT /api/blocks/:userId', { params: { userId } })
const unblock: Act = (who, { id: userId }) => who.call('DELETE /api/blocks/:userId', { params: { userId } })
const unmatch: Act = (who, { id: userId }) => who.call('DELETE /api/matches/:userId', { params: { userId } })
const write: Act = async (who, other) => {
  const { ask, socket } = await connect(app, who)
  await ask('send_message', outgoing(who, other))
  socket.disconnect()
}
const change = (who: Person, body: object) => who.call('PATCH /api/user/updateUser', { body })

it('every notification leads to its subject, and every like can be answered', {
  tags: ['more-in-long', 'more-in-release'],
}, async () => {
  const wrong: string[] = []
  const seen = new Set<string>()
  let [likes, matches] = [0, 0]
  for (let seed = 1; seed <= rounds(2, 8, 40); seed += 1) {
    const random = seededRandom(seed)
    const draw = <T>(list: readonly T[]) => list[drawBelow(random, list.length)] as T
    const places = placesAt(seed * 3)
    const all: Person[] = []
    for (const name of names) {
      const who = await person(app, { name, at: draw(places.slice(0, 3)), maxDistanceKm: draw([10, 25]) })
      if (random() < 0.5) await who.call('PATCH /api/privacy', { body: { hideDistance: true } })
      all.push(who)
    }
    const acts: Record<string, Act> = {
      like: decide('like'),
      'like again': decide('like'),
      'like once more': decide('like'),
      answer,
      pass: decide('pass'),
      later: decide('later'),
      'take back': (who, { id: userId }) => who.call('DELETE /api/decisions/:userId', { params: { userId } }),
      pause: (who) => change(who, { paused: draw([true, false, false]) }),
      filter: (who) => change(who, { maxDistanceKm: draw([5, 10, 25, null]) }),
      hide: (who) =>
        who.call('PATCH /api/privacy', { body: { hideDistance: draw([true, false]), incognito: draw([true, false]) } }),
      move: (who) =>
        who.call('PATCH /api/user/updateLocation', { body: draw(random() < 0.8 ? places.slice(0, 3) : places) }),
      publish: async () => {
        app.clock.advance(minutes(30))
        await publishMoves(app.platform)
        for (const { id } of all) await releaseMoved(app.platform, id, async () => false)
      },
      read: (who) => who.call('PATCH /api/notifications', { body: { read: true } }),
      write,
      block,
      unblock,
      'unblock again': unblock,
      // Rare, because it can't be undone.
      unmatch: async (who, other) => random() < 0.3 && unmatch(who, other),
    }
    for (let step = 0; step < 60; step += 1) {
      const who = draw(all)
      const other = draw(all.filter((one) => one !== who))
      const act = draw(Object.keys(acts))
      const done = (await acts[act]?.(who, other)) as { status: number; body: { match?: object | null } } | undefined
      const place = `history ${seed}, step ${step}, ${act}`
      for (const viewer of all) {
        const news = await newlySent(viewer, seen)
        if (viewer === who || viewer === other) news.push(...(await shownNow(viewer)))
        wrong.push(...(await leadingNowhere(viewer, news)).map((kind) => `${place}: a ${kind} leads nowhere`))
      }
      if (done?.status === 200 && done.body.match) matches += 1
      if (!act.startsWith('like') || done?.status !== 200 || done.body.match) continue
      likes += 1
      wrong.push(...(await cannotAnswer(other, who)).map((what) => `${place}: ${what}`))
    }
  }
  expect(wrong).toEqual([])
  expect([likes > 0, matches > 0]).toEqual([true, true])
})

/** Why a person can't answer a like: the sender's page refuses it, or the like is missing from their list. */
async function cannotAnswer(viewer: Person, sender: Person): Promise<string[]> {
  const { rows } = await app.platform.pool.query(
    `select from locations where user_id = any($1) and (cell <> published_cell or published_at is null)`,
    [[viewer.id, sender.id]],
  )
  if (rows.length > 0) return []
  const { body } = await viewer.call('GET /api/user/:id', { params: { id: sender.id } })
  const isListed = (await received(viewer)).likes.some(({ user }) => user.id === sender.id)
  const isPassed = body.myDecision === 'pass'
  return [
    ...(body.canLike ? [] : ['the like cannot be answered']),
    ...(isListed || isPassed ? [] : ['it is on no list']),
  ]
}
