import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'

let app: TestApp
let ana: Person
let ben: Person
let cem: Person
beforeAll(async () => {
  app = await startTestApp()
  ;[ana, ben, cem] = (await people(app, 3)) as [Person, Person, Person]
})
afterAll(() => app.close())

async function say(from: Person, to: Person, ...texts: string[]): Promise<void> {
  const socket = await connect(app, from)
  for (const text of texts) await socket.ask('send_message', outgoing(from, to, text))
  socket.socket.disconnect()
}

const search = async (me: Person, query: string, more: { with?: string; cursor?: string; limit?: number } = {}) =>
  (await me.call('GET /api/messages/search', { query: { query, ...more } })).body
const texts = async (...asked: Parameters<typeof search>) =>
  (await search(...asked)).hits.map(({ message }) => message.message)

describe('searching', () => {
  it('finds words in all my conversations, newest first, with who it was', async () => {
    await say(ana, ben, 'A walk by the canal?')
    await say(cem, ana, 'The canal is frozen')
    await say(ben, ana, 'Nothing about it')
    const { hits, nextCursor } = await search(ana, 'canal')
    expect(hits.map(({ user, message }) => [user.id, message.message, message.seq])).toEqual([
      [cem.id, 'The canal is frozen', 1],
      [ben.id, 'A walk by the canal?', 1],
    ])
    expect(nextCursor).toBeNull()
    expect(await texts(ana, 'canal', { with: ben.id })).toEqual(['A walk by the canal?'])
  })

  it('takes no notice of case and accents, in both directions', async () => {
    await say(ana, ben, 'Un CAFÉ olé', 'senor')
    expect(await texts(ana, 'cafe')).toEqual(['Un CAFÉ olé'])
    expect(await texts(ana, 'Señor')).toEqual(['senor'])
  })

  it('takes signs as they are', async () => {
    await say(ana, ben, '100 % sure_thing \\o/', 'percent')
    for (const query of ['0 %', 'e_t', '\\o', '%%', '__', "'; drop"]) {
      const found = await texts(ana, query)
      expect([query, found]).toEqual([query, '100 % sure_thing \\o/'.includes(query) ? ['100 % sure_thing \\o/'] : []])
    }
  })

  it('goes on where a page ended', async () => {
    await say(ana, cem, ...Array.from({ length: 7 }, (_, n) => `lantern ${n}`))
    const found: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await search(ana, 'lantern', { limit: 3, ...(cursor && { cursor }) })
      found.push(...page.hits.map(({ message }) => message.message))
      cursor = page.nextCursor
    } while (cursor)
    expect(found).toEqual(Array.from({ length: 7 }, (_, n) => `lantern ${6 - n}`))
  })

  it('finds neither what others wrote to each other, nor what was taken back, removed or blocked', async () => {
    const [dan, eve, fay] = (await people(app, 3)) as [Person, Person, Person]
    await say(dan, eve, 'zeppelin one', 'zeppelin two')
    await say(fay, eve, 'zeppelin three')
    expect(await texts(ana, 'zeppelin')).toEqual([])
    expect(await texts(ana, 'zeppelin', { with: dan.id })).toEqual([])
    expect(await texts(eve, 'zeppelin')).toEqual(['zeppelin three', 'zeppelin two', 'zeppelin one'])
    await dan.call('DELETE /api/conversations/:userId/messages/:seq', { params: { userId: eve.id, seq: 2 } })
    expect(await texts(eve, 'zeppelin')).toEqual(['zeppelin three', 'zeppelin one'])
    await fay.call('PUT /api/blocks/:userId', { params: { userId: eve.id } })
    expect(await texts(eve, 'zeppelin')).toEqual(['zeppelin one'])
    await eve.call('DELETE /api/conversations/:userId', { params: { userId: dan.id } })
    expect(await texts(eve, 'zeppelin')).toEqual([])
  })

  it.each([
    { query: 'x' },
    { query: ' x ' },
    { query: 'x'.repeat(101) },
    { query: 'ok', cursor: 'made.up' },
    { query: 'ok', limit: 51 },
  ])('refuses %j', async (query) => {
    const { status, body } = await ana.call('GET /api/messages/search', { query })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
  })
})
