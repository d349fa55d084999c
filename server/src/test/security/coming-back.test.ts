import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { type Person, person } from '../people.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

function outcome(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve('open'))
    socket.once('connect_error', (error) => resolve(error.message))
  })
}

async function online(me: Person): Promise<Socket> {
  const socket = io(app.url, {
    auth: { token: me.token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  })
  const list = new Promise((resolve) => socket.once('user_online', resolve))
  if ((await outcome(socket)) !== 'open') throw new Error('a member was not let in')
  await list
  return socket
}

/** A device that lost its connection without a proper disconnect and still has its state. */
async function lost(me: Person): Promise<{ socket: Socket; earlier: object }> {
  // The second device requests its list through socket.io itself; only socket.io sets a recovery offset.
  const first = await online(me)
  const socket = await online(me)
  first.disconnect()
  const { id, _pid: pid, _lastOffset: offset } = socket as unknown as Record<string, string | undefined>
  socket.io.engine.close()
  await expect.poll(() => app.platform.realtime.isConnected(me.id)).toBe(false)
  // Makes up a state if there was no earlier connection.
  return { socket, earlier: { pid: pid ?? id, offset: offset ?? '0' } }
}

describe('a device that comes back', () => {
  it('A device that comes back is accepted while its session lives.', async () => {
    const { socket } = await lost(await person(app))
    const back = outcome(socket)
    socket.connect()
    expect(await back).toBe('open')
    socket.disconnect()
  })

  it('A device that comes back is refused once its session has ended, whatever it claims about its earlier connection.', async () => {
    const me = await person(app)
    const { socket, earlier } = await lost(me)
    expect((await me.call('POST /api/user/signOut', {})).status).toBeLessThan(300)
    for (const auth of [{ token: me.token }, { token: me.token, ...earlier }, earlier]) {
      socket.auth = auth
      const back = outcome(socket)
      socket.connect()
      expect(await back).toBe('unauthenticated')
      socket.disconnect()
    }
  })
})
