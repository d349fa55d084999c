import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'
import type { Platform } from './platform.ts'

interface Checked extends Pick<Platform, 'pool' | 'log'> {
  isStopping(): boolean
}

/**
 * `/healthz`: the process lives. `/readyz`: it can do its work; a database that does not answer makes it 503, and so does
 * a stop that has begun, so that a load balancer sends nobody here any more.
 */
export function serveHealth(app: FastifyInstance, { pool, log, isStopping }: Checked): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ ok: true }))
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ ok: false, stopping: true })
    await pool.query('select 1 from accounts limit 1').catch((err) => {
      log.warn({ err }, 'the database does not answer')
      throw new AppError('unavailable', 'The database does not answer.')
    })
    return { ok: true }
  })
}
