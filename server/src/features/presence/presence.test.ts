import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { type Client, connect } from '../../test/sockets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const ids = (list: { id: string }[]) => list.map(({ id }) => id)
const write = (socket: Client, from: Person, to: Person) =>
  socket.ask('send_message', { id: randomUUID(), message: 'Hello', senderId: from.id, receiverId: to.id })

async function acquainted(): Promise<[Person, Person]> {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const socket = await connect(app, ana)
  await write(socket, ana, ben)
  socket.socket.disconnect()
  // Longer than the grace period, during which someone who left still counts as online.
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  return [ana, ben]
}

describe('user_online', () => {
  it('on connect, user_online lists online contacts', async () => {
    const [ana, ben] = await acquainted()
    await connect(app, ana)
    const benSocket = await connect(app, ben)
    expect(ids(await benSocket.next('user_online'))).toEqual([ana.id])
  })

  it('user_online is sent again when someone comes or goes', { tags: 'long' }, async () => {
    const [ana, ben] = await acquainted()
    const benSocket = await connect(app, ben)
    expect(await benSocket.next('user_online')).toEqual([])
    const anaSocket = await connect(app, ana)
    await benSocket.next('user_online', (list) => ids(list).includes(ana.id))
    anaSocket.socket.disconnect()
    await expect.poll(() => benSocket.received('user_online').at(-1)).toEqual([])
  })

  it("user_online isn't sent when one of two devices disconnects", { tags: 'long' }, async () => {
    const [ana, ben] = await acquainted()
    const benSocket = await connect(app, ben)
    const [first] = [await connect(app, ana), await connect(app, ana)]
    await benSocket.next('user_online', (list) => ids(list).includes(ana.id))
    first.socket.disconnect()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(ids(benSocket.received('user_online').at(-1) ?? [])).toEqual([ana.id])
  })

  it('user_online never lists strangers', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    await connect(app, ana)
    const benSocket = await connect(app, ben)
    expect(await benSocket.next('user_online')).toEqual([])
  })

  it("someone who only opened a conversation learns nothing, and their typing doesn't arrive", async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
    await anaSocket.ask('get_or_create_conversation', { withUser: ben.id })
    await anaSocket.ask('typing', { to: ben.id })
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(anaSocket.received('user_online').flat()).toEqual([])
    expect(benSocket.received('typing')).toEqual([])
  })

  it('user_online lists someone from the first message on', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
    await write(anaSocket, ana, ben)
    expect(ids(await benSocket.next('user_online', (list) => list.length > 0))).toEqual([ana.id])
    expect(ids(await anaSocket.next('user_online', (list) => list.length > 0))).toEqual([ben.id])
  })

  it('user_online leaves out blocked people immediately, in both directions', { tags: 'long' }, async () => {
    const [ana, ben] = await acquainted()
    const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
    await anaSocket.next('user_online', (list) => ids(list).includes(ben.id))
    await ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })
    await expect.poll(() => benSocket.received('user_online').at(-1)).toEqual([])
    await expect.poll(() => anaSocket.received('user_online').at(-1)).toEqual([])
    const again = await connect(app, ben)
    expect(await again.next('user_online')).toEqual([])
  })
})

describe('typing', () => {
  it("typing and its end reach the other person with the sender's id", async () => {
    const [ana, ben] = await acquainted()
    const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
    await Promise.all([anaSocket.next('user_online'), benSocket.next('user_online')])
    anaSocket.socket.emit('typing', { to: ben.id })
    expect(await benSocket.next('typing')).toEqual({ senderId: ana.id })
    anaSocket.socket.emit('stop_typing', { to: ben.id })
    expect(await benSocket.next('stop_typing')).toEqual({ senderId: ana.id })
  })

  it('typing arrives even when the connection is busy at that moment', { tags: 'long' }, async () => {
    const [ana, ben] = await acquainted()
    const benSocket = await connect(app, ben)
    await benSocket.next('user_online')
    for (let n = 0; n < 20; n++) {
      app.platform.realtime.publish([ben.id], 'notifications_changed', {})
      app.platform.realtime.publishVolatile([ben.id], 'typing', { senderId: ana.id })
    }
    await expect.poll(() => benSocket.received('typing').length).toBe(20)
  })

  it('typing reaches only contacts', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
    await anaSocket.next('user_online')
    expect(await anaSocket.ask('typing', { to: ben.id })).toEqual({ ok: true })
    await benSocket.ask('typing', { to: ana.id })
    expect(benSocket.received('typing')).toEqual([])
  })

  it.each([undefined, null, 7, {}, { to: 7 }])('typing to %s is refused', async (payload) => {
    const [ana] = (await people(app, 1)) as [Person]
    const socket = await connect(app, ana)
    expect(await socket.ask('typing', payload)).toEqual({ ok: false, code: 'validation_failed' })
  })
})
