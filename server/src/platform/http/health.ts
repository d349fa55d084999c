import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { seconds } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { version } from '../version.ts'

interface Checked {
  log: Pick<Logger, 'warn'>
  /** Connections of its own: whether the database answers does not depend on how much is asked. */
  pool: pg.Pool
  isStopping(): boolean
}

/** For how long an answer holds, and how long one may take. */
const times = { holds: seconds(1), most: seconds(3) }

/** Whether the database answers: asked once at a time, and once a second at most, by however many. */
function createProbe({ pool, log }: Checked): () => Promise<boolean> {
  let asked: { since: number; answer: Promise<boolean> } | undefined
  const ask = async () => {
    // Without a limit of its own, a connection that hangs would be waited for as long as TCP does.
    const late = new Promise<never>((_, reject) =>
      setTimeout(reject, times.most, new Error('it takes too long')).unref(),
    )
    const answer = pool.query('select 1 from accounts limit 1')
    return Promise.race([answer, late]).then(
      () => true,
      (err) => {
        log.warn({ err }, 'the database does not answer')
        return false
      },
    )
  }
  return () => {
    if (!asked || performance.now() - asked.since >= times.holds) asked = { since: performance.now(), answer: ask() }
    return asked.answer
  }
}

/**
 * `/healthz`: the process lives, and which Duet it is. `/readyz`: it can do its work; a database that does not answer makes it 503, and so does
 * a stop that has begun, so that a load balancer sends no more requests here.
 */
export function serveHealth(app: FastifyInstance, checked: Checked): void {
  const answers = createProbe(checked)
  app.get('/healthz', { schema: { hide: true } }, async () => ({ ok: true, version }))
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    if (checked.isStopping()) return reply.code(503).send({ ok: false, stopping: true })
    if (!(await answers())) throw new AppError('unavailable', "The database isn't answering.")
    return { ok: true }
  })
}
