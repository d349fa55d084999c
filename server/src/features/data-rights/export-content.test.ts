import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { like } from '../../test/likes.ts'
import { type Person, people, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { report, say } from '../reports/acts.test-reports.ts'
import { administrator, sanctioned } from '../reports/cases.test-reports.ts'
import { readContent } from './export-content.ts'

let app: TestApp
let owner: Pools
beforeAll(async () => {
  app = await startTestApp()
  owner = connectOwner(ownerOf(app.platform), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

const content = ({ id }: Person) => readContent(owner.db, id)

describe('the content of an export', () => {
  it('an export includes texts that a decision removed, and each report with its subject and person', async () => {
    const admin = await administrator(app)
    const [ana, ben] = [await person(app, { bio: 'My own words' }), await person(app, { name: 'Ben' })]
    await sanctioned(app, admin, ana.id, { action: 'remove_item' })
    expect((await report(ana, ben.id)).status).toBe(201)
    const { sanctions, reports } = await content(ana)
    expect(sanctions).toMatchObject([{ kind: 'item_removed', takenAway: { kind: 'profile', bio: 'My own words' } }])
    expect(reports).toMatchObject([{ reportedName: 'Ben', subject: { kind: 'profile' } }])
  })

  it('an export includes likes as their list shows them: no held likes, and none of erased or blocking people', async () => {
    const at = { latitude: 48.1, longitude: 11.6 }
    const ana = await person(app, { at, gender: 'woman', interestedIn: ['man'] })
    const man = (name: string) => person(app, { at, name, gender: 'man', interestedIn: ['woman'] })
    const [ben, cem, eve] = [await man('Ben'), await man('Cem'), await man('Eve')]
    for (const who of [ben, cem, eve]) expect((await like(who, ana.id, { comment: who.name })).status).toBe(200)
    await owner.pool.query('update decisions set held = true where actor_id = $1', [cem.id])
    await eve.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
    expect((await content(ana)).likesReceived).toMatchObject([{ with: ben.name, comment: ben.name }])
  })

  it("an export includes both people's reactions and how far the person has read", async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const [hers, his] = [await connect(app, ana), await connect(app, ben)]
    await say(ben, ana, his, 'Hello Ana')
    await say(ana, ben, hers, 'Hello Ben')
    const react = (who: Person, other: Person, seq: number, reaction: string) =>
      who.send('PUT', `/api/conversations/${other.id}/messages/${seq}/reaction`, { emoji: reaction })
    for (const done of [await react(ana, ben, 1, '❤️'), await react(ben, ana, 2, '👍')]) expect(done.status).toBe(200)
    const { messagesSent, messagesReceived, conversations } = await content(ana)
    expect([messagesReceived?.[0]?.myReaction, messagesSent?.[0]?.reaction]).toEqual(['❤️', '👍'])
    expect(conversations).toMatchObject([{ readUpTo: expect.anything(), with: ben.name }])
  })
})
