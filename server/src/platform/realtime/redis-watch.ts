import type { Redis } from 'ioredis'
import type { Logger } from '../logger.ts'

/**
 * A connection that does not answer within two seconds is given up, in its handshake as well: what waits for it would grow
 * without bound, or be refused for as long as the other side stands still.
 */
export function watch(clients: () => readonly Redis[], log: Logger, everyMs = 2_000): () => void {
  const unanswered = new Set<Redis>()
  const known = new WeakSet<Redis>()
  function look(client: Redis): void {
    const isReady = client.status === 'ready'
    const answered = () => unanswered.delete(client)
    if (!known.has(client)) client.on('ready', answered).on('close', answered)
    known.add(client)
    if (!isReady && client.status !== 'connect') unanswered.delete(client)
    else if (unanswered.delete(client)) {
      log.warn('Redis does not answer: its connection is made anew')
      client.disconnect(true)
    } else {
      unanswered.add(client)
      if (!isReady) return
      // No is an answer as well. That a command for counters was given up before its time is none.
      client.ping().then(answered, (err: Error) => err.name === 'ReplyError' && answered())
    }
  }
  const timer = setInterval(() => {
    const now = clients()
    for (const client of unanswered) if (!now.includes(client)) unanswered.delete(client)
    for (const client of now) look(client)
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
