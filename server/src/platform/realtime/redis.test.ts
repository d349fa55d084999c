import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createTestRedis, hasRedis } from '../../test/redis.ts'
import { createLogger } from '../logger.ts'
import { openRedis } from './redis.ts'

it('A Redis connection that hangs in its handshake is replaced', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume()
    sockets.push(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const redis = openRedis(`redis://127.0.0.1:${port}`, 'n1', createLogger('silent'))
  try {
    // In order: the subscriber, the publisher and the counters; only the last two are watched.
    await expect.poll(() => sockets.slice(0, 3).filter(({ destroyed }) => destroyed).length).toBe(2)
  } finally {
    await redis.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

it.skipIf(!hasRedis)('Defining a command while others are pending leaves no command unanswered', async () => {
  const server = await createTestRedis()
  await server.start()
  const redis = openRedis(server.url, 'n1', createLogger('silent'))
  try {
    const counters = redis.counters as typeof redis.counters & { counted(key: string): Promise<unknown> }
    await expect.poll(() => counters.status).toBe('ready')
    const before = counters.set('one', 1)
    counters.defineCommand('counted', { numberOfKeys: 1, lua: 'return redis.call("incr", KEYS[1])' })
    expect(await Promise.all([before, counters.counted('two'), counters.get('one')])).toEqual(['OK', 1, '1'])
  } finally {
    await redis.close()
    await server.stop()
  }
})
