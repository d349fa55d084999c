import type { Redis } from 'ioredis'
import type { Logger } from '../logger.ts'

/**
 * A connection that does not answer within two seconds is given up, in its handshake as well: what waits for it would grow
 * without bound, or be refused for as long as the other side stands still.
 */
export function watch(clients: () => readonly Redis[], log: Logger, everyMs = 2_000): () => void {
  /** Those that have not answered yet, and whether they were connected when they were asked. */
  const unanswered = new Map<Redis, string>()
  function look(client: Redis): void {
    const { status } = client
    const asked = unanswered.get(client)
    unanswered.delete(client)
    if (status !== 'ready' && status !== 'connect') return
    if (asked === status) {
      log.warn('Redis does not answer: its connection is made anew')
      client.disconnect(true)
      return
    }
    unanswered.set(client, status)
    if (status !== 'ready') return
    const answered = () => unanswered.delete(client)
    client.ping().then(answered, answered)
  }
  const timer = setInterval(() => {
    const now = clients()
    for (const client of unanswered.keys()) if (!now.includes(client)) unanswered.delete(client)
    for (const client of now) look(client)
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
