import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'
import { syncConversations, syncEach } from './listing.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('viewers who ask in one batch get the same answers as alone, with and without a cursor', async () => {
  const [ana, ben, cem, eve] = (await people(app, 4)) as [Person, Person, Person, Person]
  const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
  await anaSocket.ask('send_message', outgoing(ana, ben, 'to Ben'))
  const { cursor } = await syncConversations(app.platform, ben.id)
  await benSocket.ask('send_message', outgoing(ben, cem, 'to Cem'))
  await cem.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })
  const asked = [
    { viewerId: eve.id },
    { viewerId: ben.id, since: cursor },
    { viewerId: ana.id, since: cursor },
    { viewerId: ben.id },
    { viewerId: ana.id },
    { viewerId: ben.id, since: cursor },
    { viewerId: cem.id },
  ]
  const together = await syncEach(app.platform, asked)
  const shown = together.map(({ conversations, gone }) => ({
    list: conversations.map(({ user, lastMessage, unreadCount }) => [user.id, lastMessage?.message, unreadCount]),
    gone,
  }))
  // The cursor belongs to Ben, so it is invalid for Ana and she gets everything.
  const anas = { list: [[ben.id, 'to Ben', 0]], gone: [] }
  const bens = { list: [[ana.id, 'to Ben', 1]], gone: [] }
  const nothing = { list: [], gone: [] }
  // While other transactions in the cluster are open, a change may be returned twice.
  const again = (told: (typeof shown)[number] | undefined) => {
    expect(told?.gone).toEqual([cem.id])
    expect([bens.list, nothing.list]).toContainEqual(told?.list)
  }
  const [eves, bensFirst, anasFirst, bensWhole, anasWhole, bensSecond, cems] = shown
  expect([eves, anasFirst, bensWhole, anasWhole, cems]).toEqual([nothing, anas, bens, anas, nothing])
  again(bensFirst)
  again(bensSecond)
  const next = await syncEach(
    app.platform,
    asked.map(({ viewerId }, place) => ({ viewerId, since: together[place]?.cursor })),
  )
  const told = next.map(({ conversations }) => conversations.map(({ user }) => user.id))
  for (const [place, { viewerId }] of asked.entries()) {
    expect([[], viewerId === ana.id ? [ben.id] : viewerId === ben.id ? [ana.id] : []]).toContainEqual(told[place])
  }
})
