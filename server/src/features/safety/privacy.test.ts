import { randomUUID } from 'node:crypto'
import type { PrivacyChanges } from '@duet/contract/privacy.ts'
import { cellToChildren, cellToLatLng, cellToParent, latLngToCell } from 'h3-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { type Client, connect } from '../../test/sockets.ts'
import { announceNewcomer } from '../discovery/discovery.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const placeOf = (cell: string) => {
  const [latitude, longitude] = cellToLatLng(cell)
  return { latitude, longitude }
}
type Place = ReturnType<typeof placeOf>

let places = 0
const somewhere = () => ({ latitude: 12, longitude: -170 + 4 * places++ })
const set = async (who: Person, body: PrivacyChanges) => {
  const { status, body: answer } = await who.call('PATCH /api/privacy', { body })
  expect(status).toBe(200)
  return answer
}
const page = (viewer: Person, { id }: Person) => viewer.call('GET /api/user/:id', { params: { id } })
const decide = (viewer: Person, { id }: Person, decision: 'like' | 'pass' = 'like') =>
  viewer.call('PUT /api/decisions/:userId', { params: { userId: id }, body: { decision } })
const write = (socket: Client, from: Person, to: Person, message = 'Hello') =>
  socket.ask('send_message', { id: randomUUID(), message, senderId: from.id, receiverId: to.id })
const nearbyIds = async (viewer: Person) => (await viewer.call('GET /api/user/nearBy')).body.users.map(({ id }) => id)
const deckIds = async (viewer: Person) => (await viewer.call('GET /api/deck')).body.cards.map(({ id }) => id)

/** Creates a woman and a man in one place who match each other's preferences. */
async function two(): Promise<[Person, Person]> {
  const at = somewhere()
  return [
    await person(app, { name: 'Ana', at, gender: 'woman', interestedIn: ['man'] }),
    await person(app, { name: 'Ben', at, gender: 'man', interestedIn: ['woman'] }),
  ]
}

describe('privacy', () => {
  it("privacy is open by default, and keeps settings that aren't changed", async () => {
    const ana = await person(app)
    const open = {
      ...{ whoMayMessage: 'everyone', incognito: false, hideDistance: false, hidePresence: false, blurPhotos: false },
      hiddenWords: [],
    }
    expect((await ana.call('GET /api/privacy')).body).toEqual(open)
    await set(ana, { hiddenWords: ['  Tea ', 'tea\u200b', 'Tea'], blurPhotos: true })
    const kept = await set(ana, { whoMayMessage: 'verified' })
    expect(kept).toEqual({ ...open, whoMayMessage: 'verified', blurPhotos: true, hiddenWords: ['Tea'] })
  })

  it.each([
    ['a policy that is none', { whoMayMessage: 'no-one' }],
    ['a switch that is text', { incognito: 'yes' }],
    ['too many words', { hiddenWords: Array.from({ length: 51 }, (_, n) => `word ${n}`) }],
    ['a long word', { hiddenWords: ['x'.repeat(41)] }],
    ['a name', { name: 'Eve' }],
  ])('privacy settings refuse %s', async (_what, body) => {
    const ana = await person(app)
    expect((await ana.send('PATCH', '/api/privacy', body)).status).toBe(400)
  })
})

describe('incognito', () => {
  it('incognito hides a person everywhere immediately, and turning it off brings them back', async () => {
    const [ana, ben] = await two()
    expect(await deckIds(ana)).toEqual([ben.id])
    await set(ben, { incognito: true })
    expect(await deckIds(ana)).toEqual([])
    expect(await nearbyIds(ana)).toEqual([])
    expect((await ana.call('POST /api/pool', { body: {} })).body).toMatchObject({ iSee: 0, seeMe: 0, both: 0 })
    const [gone, missing] = [
      await page(ana, ben),
      await ana.call('GET /api/user/:id', { params: { id: randomUUID() } }),
    ]
    expect([gone.status, gone.body.detail]).toEqual([404, missing.body.detail])
    expect((await decide(ana, ben)).status).toBe(404)
    const socket = await connect(app, ana)
    expect(await socket.ask('get_or_create_conversation', { withUser: ben.id })).toEqual({
      error: { code: 'not_found' },
    })
    expect(await write(socket, ana, ben)).toEqual({ ok: false, code: 'not_found' })
    await set(ben, { incognito: false })
    expect(await deckIds(ana)).toEqual([ben.id])
    expect((await page(ana, ben)).status).toBe(200)
  })

  it('an incognito person still sees others, and is seen by people they like', { tags: 'long' }, async () => {
    const [ana, ben] = await two()
    await set(ben, { incognito: true })
    expect(await deckIds(ben)).toEqual([ana.id])
    expect(await nearbyIds(ben)).toEqual([ana.id])
    expect((await decide(ben, ana)).status).toBe(200)
    expect((await page(ana, ben)).status).toBe(200)
    expect((await ana.call('GET /api/likes')).body.likes.map(({ user }) => user.id)).toEqual([ben.id])
    expect(await deckIds(ana)).toEqual([ben.id])
    expect(await nearbyIds(ana)).toEqual([ben.id])
    expect((await decide(ana, ben)).body.match?.user.id).toBe(ben.id)
  })

  it('an incognito person disappears from the likes and chats of people who liked or wrote to them, until they reply', {
    tags: 'long',
  }, async () => {
    const [ana, ben] = await two()
    await decide(ana, ben)
    const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
    await write(anaSocket, ana, ben)
    await set(ben, { incognito: true })
    expect((await ana.call('GET /api/decisions', { query: { decision: 'like' } })).body.decisions).toEqual([])
    expect((await ana.call('GET /api/messages/history')).body).toEqual([])
    expect((await ben.call('GET /api/messages/history')).body.map(({ id }) => id)).toEqual([ana.id])
    expect(await write(anaSocket, ana, ben)).toEqual({ ok: false, code: 'not_found' })
    expect(await write(benSocket, ben, ana)).toMatchObject({ ok: true })
    await anaSocket.next('conversations', (rows) => rows.some(({ id }) => id === ben.id))
    expect((await page(ana, ben)).status).toBe(200)
    expect(await write(anaSocket, ana, ben)).toMatchObject({ ok: true })
    await anaSocket.next('user_online', (list) => list.some(({ id }) => id === ben.id))
  })

  it('people notice that someone is incognito the next time they look, and nobody is told at that moment', {
    tags: 'long',
  }, async () => {
    const [ana, ben] = await two()
    const eve = await person(app)
    const [anaSocket, benSocket, eveSocket] = [
      await connect(app, ana),
      await connect(app, ben),
      await connect(app, eve),
    ]
    await write(anaSocket, ana, ben)
    await write(benSocket, ben, eve)
    const { cursor } = await anaSocket.ask('get_conversations')
    await set(ben, { incognito: true })
    expect(await anaSocket.ask('get_conversations', { since: cursor })).toMatchObject({ gone: [ben.id] })
    await set(ben, { incognito: false })
    await anaSocket.ask('get_conversations', { since: cursor })
    expect(anaSocket.received('conversations').at(-1)).toMatchObject([{ id: ben.id }])
    for (const socket of [anaSocket, eveSocket]) expect(socket.received('resync')).toEqual([])
  })

  it("an incognito person isn't announced as a newcomer", async () => {
    const at = somewhere()
    const ana = await person(app, { name: 'Ana', at, gender: 'woman', interestedIn: ['man'] })
    const ben = await person(app, { name: 'Ben', gender: 'man', interestedIn: ['woman'] })
    await set(ben, { incognito: true })
    await ben.call('PATCH /api/user/updateLocation', { body: at })
    await announceNewcomer(app.platform, ben.id)
    const kinds = (await ana.call('GET /api/notifications')).body.notifications.map(({ kind }) => kind)
    expect(kinds).not.toContain('nearby')
  })

  it('an incognito person is neither online nor typing for people who wrote to them', { tags: 'long' }, async () => {
    const [ana, ben] = await two()
    const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
    await write(anaSocket, ana, ben)
    await anaSocket.next('user_online', (list) => list.some(({ id }) => id === ben.id))
    await set(ben, { incognito: true })
    await expect.poll(() => anaSocket.received('user_online').at(-1)).toEqual([])
    await benSocket.ask('typing', { to: ana.id })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(anaSocket.received('typing')).toEqual([])
  })
})

describe('a hidden distance', () => {
  it('a hidden distance is hidden from everyone immediately, with everything that would reveal it', async () => {
    const [ana, ben] = await two()
    expect((await page(ana, ben)).body).toMatchObject({
      distanceKm: 2,
      why: expect.arrayContaining([expect.objectContaining({ kind: 'near' })]),
    })
    await set(ben, { hideDistance: true })
    const { body } = await page(ana, ben)
    expect(body.distanceKm).toBeNull()
    expect(body.why.map(({ kind }) => kind)).not.toContain('near')
    expect((await ana.call('GET /api/user/nearBy')).body.users).toMatchObject([{ id: ben.id, distanceKm: null }])
    // The distance from Ana to the centre of Ben's coarse cell, in both directions.
    expect((await page(ben, ana)).body.distanceKm).toBe(10)
    await set(ben, { hideDistance: false })
    expect((await page(ana, ben)).body.distanceKm).toBe(2)
  })

  it('two people with hidden distances in one wide cell look the same, wherever they are in it', {
    tags: 'long',
  }, async () => {
    const wide = cellToParent(latLngToCell(38.72, -9.14, 7), 5)
    const [one = '', other = ''] = cellToChildren(wide, 7).slice(20)
    const [at, away] = [one, other].map(placeOf) as [Place, Place]
    const viewers = []
    for (const km of [3, 8, 15, 40])
      viewers.push(
        await person(app, {
          at: { ...at, longitude: at.longitude + km / 86.7 },
          gender: 'woman',
          interestedIn: ['man'],
        }),
      )
    const north = await person(app, { name: 'Ben', at, gender: 'man' })
    const south = await person(app, { name: 'Ben', at: away, gender: 'man' })
    for (const who of [north, south]) await set(who, { hideDistance: true })
    const { rows } = await app.platform.pool.query(
      `select published_cell, wide_latitude, wide_longitude, wide_area from locations where user_id = any($1)`,
      [[north.id, south.id]],
    )
    expect(rows[0].published_cell).not.toBe(rows[1].published_cell)
    expect({ ...rows[0], published_cell: '' }).toEqual({ ...rows[1], published_cell: '' })
    for (const viewer of viewers) {
      const [first, second] = [await page(viewer, north), await page(viewer, south)]
      expect({ ...second.body, id: '' }).toEqual({ ...first.body, id: '' })
      for (const maxDistanceKm of [5, 10, 25, 50] as const) {
        await viewer.call('PATCH /api/user/updateUser', { body: { maxDistanceKm } })
        const listed = await nearbyIds(viewer)
        expect(listed.includes(north.id)).toBe(listed.includes(south.id))
      }
    }
  })
})

describe('a hidden presence', () => {
  const online = (socket: Client) =>
    socket
      .received('user_online')
      .at(-1)
      ?.map(({ id }) => id)
  async function talking() {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
    await write(anaSocket, ana, ben)
    await write(benSocket, ben, ana)
    await anaSocket.next('user_online', (list) => list.some(({ id }) => id === ben.id))
    await benSocket.next('user_online', (list) => list.some(({ id }) => id === ana.id))
    return { ana, ben, anaSocket, benSocket }
  }

  it('a hidden presence is hidden immediately and in both directions: online, typing, lists and profiles', async () => {
    const { ana, ben, anaSocket, benSocket } = await talking()
    expect((await page(ana, ben)).body.active).toBe('online')
    await set(ben, { hidePresence: true })
    await expect.poll(() => [online(anaSocket), online(benSocket)]).toEqual([[], []])
    for (const [me, other] of [
      [ana, ben],
      [ben, ana],
    ] as const) {
      expect((await page(me, other)).body).toMatchObject({ active: 'earlier' })
      expect((await me.call('GET /api/messages/history')).body[0]?.user.isOnline).toBe(false)
      const { hits } = (await me.call('GET /api/messages/search', { query: { query: 'hello' } })).body
      expect(hits.map(({ user }) => user.isOnline)).toEqual([false, false])
    }
    await anaSocket.ask('typing', { to: ben.id })
    await benSocket.ask('typing', { to: ana.id })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect([anaSocket.received('typing'), benSocket.received('typing')]).toEqual([[], []])
    await set(ben, { hidePresence: false })
    await expect.poll(() => [online(anaSocket), online(benSocket)]).toEqual([[ben.id], [ana.id]])
  })

  it('a hidden presence stays hidden for people who start to talk later, and after a reconnect', {
    tags: 'long',
  }, async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    await set(ben, { hidePresence: true })
    const anaSocket = await connect(app, ana)
    await write(anaSocket, ana, ben)
    const benSocket = await connect(app, ben)
    await write(benSocket, ben, ana)
    await write(anaSocket, ana, ben)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(anaSocket.received('user_online').flat()).toEqual([])
    expect(benSocket.received('user_online').flat()).toEqual([])
  })
})

describe('who may message me', () => {
  const opens = async (from: Person, to: Person) => {
    const socket = await connect(app, from)
    const answer = await socket.ask('get_or_create_conversation', { withUser: to.id })
    const sent = await write(socket, from, to)
    socket.socket.disconnect()
    expect(sent.ok).toBe(!('error' in answer))
    expect((await page(from, to)).body.mayMessage).toBe(sent.ok)
    return sent.ok ? 'sent' : sent.code
  }

  it('by default, everyone may message a person', async () => {
    const [ana, ben] = await two()
    expect((await page(ana, ben)).body.mayMessage).toBe(true)
    expect(await opens(ana, ben)).toBe('sent')
  })

  it('a person can allow messages only from people they liked', async () => {
    const [ana, ben] = await two()
    await set(ben, { whoMayMessage: 'liked_or_matched' })
    expect((await page(ana, ben)).body.mayMessage).toBe(false)
    const socket = await connect(app, ana)
    expect(await socket.ask('get_or_create_conversation', { withUser: ben.id })).toEqual({
      error: { code: 'forbidden' },
    })
    expect(await write(socket, ana, ben)).toEqual({ ok: false, code: 'forbidden' })
    await decide(ben, ana)
    expect(await opens(ana, ben)).toBe('sent')
  })

  it('a person can allow messages only from verified people, or people with a photo', { tags: 'long' }, async () => {
    const [ana, ben] = await two()
    const sql = (text: string) => app.platform.pool.query(text, [ana.id])
    await set(ben, { whoMayMessage: 'verified' })
    expect((await page(ana, ben)).body.mayMessage).toBe(false)
    await sql('update profiles set verified = true where user_id = $1')
    expect((await page(ana, ben)).body.mayMessage).toBe(true)
    await set(ben, { whoMayMessage: 'with_photo' })
    expect((await page(ana, ben)).body.mayMessage).toBe(false)
    await sql(`insert into photos (file_name, user_id, position, alt, width, height, blurhash, state, sha256, created_at)
      values ('${randomUUID().replaceAll('-', '').slice(0, 22)}.webp', $1, 0, '', 10, 10, '', 'pending', '\\x00', now())`)
    expect(await opens(ana, ben)).toBe('sent')
  })

  it('the message policy never affects matches or people who already talk', { tags: 'long' }, async () => {
    const [ana, ben] = await two()
    await decide(ana, ben)
    await decide(ben, ana)
    await set(ben, { whoMayMessage: 'verified' })
    expect(await opens(ana, ben)).toBe('sent')
    const [eve, jun] = (await people(app, 2)) as [Person, Person]
    expect(await opens(eve, jun)).toBe('sent')
    await set(jun, { whoMayMessage: 'verified' })
    expect(await opens(eve, jun)).toBe('sent')
    expect(await opens(jun, eve)).toBe('sent')
  })
})

it("a notification doesn't repeat hidden words", async () => {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  await set(ben, { hiddenWords: ['Tomate'] })
  const socket = await connect(app, ana)
  const previews = async () =>
    (await ben.call('GET /api/notifications')).body.notifications.flatMap(({ kind, message }) =>
      kind === 'message' ? [message] : [],
    )
  await write(socket, ana, ben, 'Un TÓMATE')
  await expect.poll(previews).toEqual(['…'])
  await ben.call('DELETE /api/notifications')
  await write(socket, ana, ben, 'Tomates')
  await expect.poll(previews).toEqual(['Tomates'])
  await set(ben, { hiddenWords: ['Tomate', 'tomates'] })
  expect(await previews()).toEqual(['…'])
  const { notifications } = (await ben.call('GET /api/notifications')).body
  const id = notifications.find(({ kind }) => kind === 'message')?.id ?? ''
  const { body } = await ben.call('PATCH /api/notifications/:id', { params: { id }, body: { read: true } })
  expect(body).toMatchObject({ message: '…', params: { preview: '…' } })
  await set(ben, { hiddenWords: [] })
  expect(await previews()).toEqual(['Tomates'])
})
