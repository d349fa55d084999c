import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'
import type { Platform } from './platform.ts'

/** `/healthz`: the process lives. `/readyz`: it can do its work; a database that does not answer makes it 503. */
export function serveHealth(app: FastifyInstance, { pool, log }: Pick<Platform, 'pool' | 'log'>): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ ok: true }))
  app.get('/readyz', { schema: { hide: true } }, async () => {
    await pool.query('select 1 from accounts limit 1').catch((err) => {
      log.warn({ err }, 'the database does not answer')
      throw new AppError('unavailable', 'The database does not answer.')
    })
    return { ok: true }
  })
}
