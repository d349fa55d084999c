import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { type Answer, type Person, person } from '../people.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

let places = 0
async function three(): Promise<[Person, Person, Person]> {
  const at = { latitude: -33.4, longitude: -170 + 3 * places++ }
  const someone = (name: string) => person(app, { name, at })
  return [await someone('Ana'), await someone('Ben'), await someone('Cem')]
}
const params = ({ id }: Person) => ({ params: { userId: id } })
const decide = (viewer: Person, target: Person, decision: 'like' | 'pass' | 'later') =>
  viewer.call('PUT /api/decisions/:userId', { ...params(target), body: { decision } })

type Way = (gone: Person, from: Person) => Promise<unknown>
const ways: [string, Way][] = [
  ['is hidden', ({ id }) => app.platform.pool.query('update profiles set hidden = true where user_id = $1', [id])],
  ['goes incognito', (gone) => gone.call('PATCH /api/privacy', { body: { incognito: true } })],
  ['blocks', (gone, from) => gone.call('PUT /api/blocks/:userId', params(from))],
]

/** What a person finds at each step, without the parts that always differ. */
async function findings(way: Way, look: (ana: Person, gone: Person) => Promise<Answer<object>[]>): Promise<string[]> {
  const [ana, ben, cem] = await three()
  await decide(ana, cem, 'pass')
  app.clock.advance(1_000)
  await decide(ana, ben, 'like')
  await way(ben, ana)
  const answers = await look(ana, ben)
  return answers.map(({ status, body }) =>
    JSON.stringify({ status, body })
      .replaceAll(ben.id, 'BEN')
      .replaceAll(cem.id, 'CEM')
      .replace(
        /"requestId":"[^"]+"|"at":"[^"]+"|"area":"[^"]+"|"resetsAt":"[^"]+"|\\?"url":"[^"]+"|"nextCursor":"[^"]+"/g,
        '',
      ),
  )
}

async function pages(ana: Person, decision: 'like' | 'pass') {
  const answers = []
  for (let cursor: string | null | undefined; cursor !== null; cursor = answers.at(-1)?.body.nextCursor ?? null) {
    const query = { decision, limit: 1, ...(cursor && { cursor }) }
    answers.push(await ana.call('GET /api/decisions', { query }))
  }
  return answers
}

describe('a person who is gone tells no one why', () => {
  const places = [
    [
      'lists and pages',
      async (ana: Person, ben: Person) => [
        ...(await pages(ana, 'like')),
        ...(await pages(ana, 'pass')),
        await ana.call('GET /api/deck'),
        await ana.call('GET /api/likes'),
        await ana.call('GET /api/user/:id', { params: { id: ben.id } }),
        await decide(ana, ben, 'like'),
        await decide(ana, ben, 'pass'),
        await ana.call('PUT /api/blocks/:userId', params(ben)),
      ],
    ],
    [
      'undoing',
      async (ana: Person) => [
        await ana.call('POST /api/decisions/undo'),
        await ana.call('POST /api/decisions/undo'),
        await ana.call('POST /api/decisions/undo'),
      ],
    ],
    [
      'retracting',
      async (ana: Person, ben: Person) => [
        await ana.call('DELETE /api/decisions/:userId', params(ben)),
        await ana.call('DELETE /api/decisions/:userId', params(ben)),
        await ana.call('GET /api/deck'),
      ],
    ],
  ] as const
  for (const { tags, cases } of firstQuick(1, places))
    it.each(cases)('in %s', { tags }, async (_where, look) => {
      const found = []
      for (const [name, way] of ways) found.push([name, await findings(way, look as never)] as const)
      for (const [name, lines] of found) expect([name, lines]).toEqual([name, found[0]?.[1]])
    })

  it('and no page of decisions has a gap where they were', async () => {
    const [ana, ben, cem] = await three()
    await decide(ana, cem, 'like')
    app.clock.advance(1_000)
    await decide(ana, ben, 'like')
    await ben.call('PUT /api/blocks/:userId', params(ana))
    const found = await pages(ana, 'like')
    expect(found.map(({ body }) => body.decisions.map(({ user }) => user.name))).toEqual([['Cem']])
  })
})

it('A match that has ended doesn’t prevent undoing an earlier decision.', async () => {
  const [ana, ben, cem] = await three()
  await decide(ana, cem, 'pass')
  app.clock.advance(1_000)
  await decide(ana, ben, 'like')
  await decide(ben, ana, 'like')
  await ben.call('DELETE /api/matches/:userId', params(ana))
  expect((await ana.call('GET /api/deck')).body.undoable).toBe(1)
  expect((await ana.call('POST /api/decisions/undo')).body).toMatchObject({ userId: cem.id, undoable: 0 })
})
