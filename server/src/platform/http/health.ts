import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { seconds } from '../clock.ts'
import { AppError } from '../errors.ts'
import { createLinePace } from '../fault-lines.ts'
import type { Logger } from '../logger.ts'
import { isFull, type Space } from '../storage/free-space.ts'
import { build } from '../version.ts'

interface Checked {
  log: Pick<Logger, 'error'>
  /** Separate connections, so that heavy load doesn't look like an outage. */
  pool: pg.Pool
  isStopping(): boolean
  space(): Promise<Space | undefined>
}

const times = { holds: seconds(1), most: seconds(3) }

/**
 * Writes a row and rolls it back, because a readable database may still refuse writes. Doesn't wait for the disk or a
 * standby: while those are slow, people can at least read.
 */
export const writeNothing = `do $$ begin
  perform set_config('synchronous_commit', 'off', true);
  begin
    insert into files_to_remove (key, since) values (gen_random_uuid()::text, now());
    raise exception sqlstate 'DUET0';
  exception when sqlstate 'DUET0' then null;
  end;
end $$`

function createProbe({ pool, log, space }: Checked): () => Promise<boolean> {
  const isTime = createLinePace()
  let asked: { since: number; answer: Promise<boolean> } | undefined
  const ask = async () => {
    // Without this, a hanging connection would block until TCP times out.
    const late = new Promise<never>((_, reject) =>
      setTimeout(reject, times.most, new Error('it took too long')).unref(),
    )
    const answer = async () => {
      const room = await space()
      if (room && isFull(room)) throw new Error('there is no space left in DATA_DIR')
      await pool.query(writeNothing)
    }
    return Promise.race([answer(), late]).then(
      () => true,
      (err) => {
        if (isTime('probe')) log.error({ err }, 'the database accepts no writes')
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
 * `/healthz` shows that the process is alive, and its version. `/readyz` shows whether it can serve requests: it
 * returns 503 while the database rejects writes and during a shutdown, so that a load balancer stops sending requests.
 */
export function serveHealth(app: FastifyInstance, checked: Checked): void {
  const answers = createProbe(checked)
  app.get('/healthz', { schema: { hide: true } }, async () => ({ ok: true, version: build }))
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    if (checked.isStopping()) return reply.code(503).send({ ok: false, stopping: true })
    if (!(await answers())) throw new AppError('unavailable', "The database doesn't accept writes.")
    return { ok: true }
  })
}
