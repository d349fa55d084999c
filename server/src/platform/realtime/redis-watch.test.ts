import { EventEmitter } from 'node:events'
import type { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../logger.ts'
import { watch } from './redis-watch.ts'

/** A connection as `watch` sees it, whose pings are answered as one likes. */
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
  ['says no', async () => Promise.reject(no)],
])('a connection that %s is kept', async (_how, answer) => {
  const connection = watched(answer)
  await expect.poll(() => connection.pings).toBeGreaterThan(5)
  expect(connection.cuts).toBe(0)
})

it.each([
  ['is silent', () => new Promise<string>(() => undefined)],
  ['gives up each command before its time', async () => Promise.reject(new Error('Command timed out'))],
])('a connection that %s is cut', async (_how, answer) => {
  const connection = watched(answer)
  await expect.poll(() => connection.cuts).toBeGreaterThan(1)
})

it('a connection that was made anew since it was asked is kept', async () => {
  const connection = watched(() => {
    queueMicrotask(() => connection.emit('ready'))
    return new Promise(() => undefined)
  })
  await expect.poll(() => connection.pings).toBeGreaterThan(5)
  expect(connection.cuts).toBe(0)
})
