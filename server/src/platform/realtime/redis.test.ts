import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createLogger } from '../logger.ts'
import { openRedis } from './redis.ts'

it('a connection is given up and made anew when the other side stands still in the middle of its handshake', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume()
    sockets.push(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const redis = openRedis(`redis://127.0.0.1:${port}`, 'n1', createLogger('silent'))
  try {
    // One to hear, one to publish and one to count: the last two are watched.
    await expect.poll(() => sockets.slice(0, 3).filter(({ destroyed }) => destroyed).length).toBe(2)
  } finally {
    await redis.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})
