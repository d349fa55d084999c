import type { Redis } from 'ioredis'
import type { Logger } from '../logger.ts'

/**
 * Replaces connections that don't answer a ping or finish their handshake within two seconds. Otherwise commands would
 * queue without bound, or fail for as long as the server hangs.
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
      log.warn('Redis does not answer; reconnecting')
      client.disconnect(true)
    } else {
      unanswered.add(client)
      if (!isReady) return
      // An error reply shows that Redis is alive; a local command timeout doesn't.
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
