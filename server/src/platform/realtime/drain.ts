import { setTimeout as sleep } from 'node:timers/promises'
import type { DuetSocket } from './socket-requests.ts'
import type { SocketServer } from './socket-server.ts'

/** Times in milliseconds: `each` per connection, at most `longest` in total. */
const drainMs = { each: 2, longest: 5_000, slice: 50, answers: 3_000 }

/**
 * Answers pending requests and closes all connections in small batches, so that clients reconnect to other nodes.
 * Doesn't use `disconnect()`, because clients don't reconnect automatically after it.
 */
export async function drain(io: SocketServer): Promise<void> {
  const sockets = [...io.of('/').sockets.values()]
  const slices = Math.max(1, Math.ceil(Math.min(drainMs.longest, sockets.length * drainMs.each) / drainMs.slice))
  const size = Math.ceil(sockets.length / slices)
  const closing: Promise<void>[] = []
  for (let start = 0; start < sockets.length; start += size) {
    if (start > 0) await sleep(drainMs.slice)
    for (const socket of sockets.slice(start, start + size)) closing.push(closeAnswered(socket))
  }
  await Promise.all(closing)
}

async function closeAnswered(socket: DuetSocket): Promise<void> {
  socket.data.leaving = true
  const deadline = performance.now() + drainMs.answers
  while (socket.data.pending > 0 && performance.now() < deadline) await sleep(10)
  const closed = new Promise((resolve) => socket.conn.once('close', resolve))
  socket.conn.close()
  await Promise.race([closed, sleep(1_000, undefined, { ref: false })])
}
