import { setTimeout as sleep } from 'node:timers/promises'
import type { Base } from './base.ts'
import { stopWithin } from './platform/process/stop-within.ts'
import type { watchSessions } from './platform/realtime/session-watch.ts'
import type { Wires } from './wires.ts'

interface Running {
  base: Base
  wires: Wires
  sessions: Awaited<ReturnType<typeof watchSessions>>
  indexing: { close(): Promise<void> } | undefined
  world: { stop(): Promise<void> } | undefined
  endTracing: (() => Promise<void>) | undefined
  noticeMs: number
}

/** Leaves time for the embedded database to stop; see `main.ts`. */
const stopMs = 14_000

export async function stopApp({
  base,
  wires,
  sessions,
  indexing,
  world,
  endTracing,
  noticeMs,
}: Running): Promise<void> {
  const { platform, http, jobs, nodes, clock, pools } = base
  const { realtime, config, log } = platform
  // Running jobs may also need seconds, so they stop in parallel. The step below reports failures.
  jobs.rest().catch(() => undefined)
  await stopWithin(stopMs, log, [
    ['new connections', () => realtime.refuseNew()],
    ['the load balancer', (left) => config.redisUrl && sleep(Math.min(noticeMs, left))],
    ['connections', () => realtime.drain()],
    ['requests', (left) => base.requestsAnswered(Math.min(3_000, left))],
    ['the demo world', () => world?.stop()],
    ['the sweep', () => sessions.endSweep()],
    ['the clock', () => clock.stop?.()],
    ['the sockets', () => realtime.close()],
    ['the HTTP server', () => http.close()],
    ['jobs', () => jobs.stop()],
    // Messages stored after this point would not reach other nodes.
    ['messages', () => wires.sending.close()],
    ['messages held back', () => wires.holding.drain()],
    ['the index', () => indexing?.close()],
    ['news of sessions', () => sessions.stopListening()],
    ['other nodes', () => nodes.leave()],
    ['decoders', () => platform.decoders.close()],
    ['the mailer', () => platform.mailer.close()],
    ['traces', () => endTracing?.()],
    ['the database', () => Promise.all(Object.values(pools).map(({ pool }) => pool.end()))],
  ])
}
