import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { type Person, person } from '../people.ts'
import { connect } from '../sockets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_SCALE: '1' })
})
afterAll(() => app.close())

let places = 0
async function two(): Promise<[Person, Person]> {
  const at = { latitude: -20, longitude: -170 + 4 * places++ }
  return [await person(app, { name: 'Eve', at }), await person(app, { name: 'Ana', at })]
}
const params = ({ id }: Person) => ({ params: { userId: id } })
const like = (viewer: Person, target: Person, comment?: string) =>
  viewer.call('PUT /api/decisions/:userId', {
    ...params(target),
    body: { decision: 'like', ...(comment !== undefined && { comment }) },
  })

describe('repeated likes', () => {
  const ways = [
    ['taking it back', (eve: Person, ana: Person) => eve.call('DELETE /api/decisions/:userId', params(ana))],
    ['undoing it', (eve: Person) => eve.call('POST /api/decisions/undo')],
    [
      'passing',
      (eve: Person, ana: Person) =>
        eve.call('PUT /api/decisions/:userId', { ...params(ana), body: { decision: 'pass' } }),
    ],
  ] as const
  for (const { tags, cases } of firstQuick(1, ways))
    it.each(cases)('A person can’t be pestered by liking them and %s repeatedly.', { tags }, async (_how, back) => {
      const [eve, ana] = await two()
      const device = await connect(app, ana)
      const statuses = []
      for (let n = 0; n < 8; n++) {
        await like(eve, ana)
        statuses.push((await back(eve, ana)).status)
      }
      expect(statuses.slice(0, 3)).toEqual([200, 200, 200])
      expect(statuses.at(-1)).toBe(429)
      const told = () => device.received('notification').filter(({ kind }) => kind === 'like').length
      await expect.poll(told).toBe(1)
      expect(statuses.filter((status) => status === 200)).toHaveLength(6)
    })

  it('A repeated like keeps its place in the list and isn’t announced again.', async () => {
    const [eve, ana] = await two()
    await like(eve, ana, 'Hello')
    const device = await connect(app, ana)
    const [before] = (await ana.call('GET /api/likes')).body.likes
    app.clock.advance(60_000)
    for (let n = 0; n < 5; n++) expect((await like(eve, ana, 'Hello')).status).toBe(200)
    const [after] = (await ana.call('GET /api/likes')).body.likes
    expect(after?.at).toBe(before?.at)
    expect(device.received('likes_changed')).toEqual([])
  })

  it('A person can’t be pestered by many comments.', async () => {
    const [eve, ana] = await two()
    const statuses = []
    for (let n = 0; n < 8; n++) statuses.push((await like(eve, ana, `Words ${n}`)).status)
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200])
    expect(statuses.at(-1)).toBe(429)
  })
})

it('Likes carry no more links to strangers than messages do.', { tags: 'long' }, async () => {
  const at = { latitude: 30, longitude: -150 }
  const eve = await person(app, { name: 'Eve', at })
  const statuses = []
  for (let n = 0; n < 6; n++)
    statuses.push((await like(eve, await person(app, { at }), `Look at www.example.com/${n}`)).status)
  expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
  expect((await like(eve, await person(app, { at }), 'No link')).status).toBe(200)
})

describe('everything that writes has its limit', () => {
  const limited = [
    ['PATCH', '/api/user/updateUser', { bio: 'x' }],
    ['PATCH', '/api/user/updateLocation', { latitude: 10, longitude: 10 }],
    ['PATCH', '/api/user/deleteImage', { imageFileName: 'x' }],
    ['PATCH', '/api/photos/AAAAAAAAAAAAAAAAAAAAAA.webp', { alt: 'x' }],
    ['DELETE', '/api/decisions/5e0c1d5e-7f3c-4b52-9d0d-0c7f8f4f6a11', undefined],
    ['POST', '/api/decisions/undo', undefined],
    ['DELETE', '/api/matches/5e0c1d5e-7f3c-4b52-9d0d-0c7f8f4f6a11', undefined],
    ['DELETE', '/api/matching/learning', undefined],
  ] as const
  for (const { tags, cases } of firstQuick(1, limited))
    it.each(cases)('%s %s', { tags }, async (method, path, body) => {
      const who = await person(app)
      const answers = await Promise.all(Array.from({ length: 125 }, () => who.send(method, path, body)))
      expect(answers.some(({ status }) => status === 429)).toBe(true)
    })
})
