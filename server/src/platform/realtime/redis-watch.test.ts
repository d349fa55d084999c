import { EventEmitter } from 'node:events'
import type { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../logger.ts'
import { watch } from './redis-watch.ts'

class Connection extends EventEmitter {
  status = 'ready'
  pings = 0
  cuts = 0
  constructor(private readonly answer: () => Promise<string>) {
    super()
  }

  ping(): Promise<string> {
    this.pings += 1
    return this.answer()
  }

  disconnect(): void {
    this.cuts += 1
  }
}

function watched(answer: () => Promise<string>): Connection {
  const connection = new Connection(answer)
  onTestFinished(watch(() => [connection as unknown as Redis], createLogger('silent'), 10))
  return connection
}

const no = Object.assign(new Error('MISCONF Redis cannot write to disk'), { name: 'ReplyError' })

it.each([
  ['answers', async () => 'PONG'],
  ['replies with an error', async () => Promise.reject(no)],
])('A connection that %s is kept', async (_how, answer) => {
  const connection = watched(answer)
  await expect.poll(() => connection.pings).toBeGreaterThan(5)
  expect(connection.cuts).toBe(0)
})

it.each([
  ['does not answer', () => new Promise<string>(() => undefined)],
  ['times out every command', async () => Promise.reject(new Error('Command timed out'))],
])('A connection that %s is closed', async (_how, answer) => {
  const connection = watched(answer)
  await expect.poll(() => connection.cuts).toBeGreaterThan(1)
})

it('A connection that reconnected since its ping is kept', async () => {
  const connection = watched(() => {
    queueMicrotask(() => connection.emit('ready'))
    return new Promise(() => undefined)
  })
  await expect.poll(() => connection.pings).toBeGreaterThan(5)
  expect(connection.cuts).toBe(0)
})
