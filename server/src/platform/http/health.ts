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
  /** Connections of its own: whether the database answers does not depend on how much is asked. */
  pool: pg.Pool
  isStopping(): boolean
  /** The room that the embedded database has; none is asked for of another one. */
  space(): Promise<Space | undefined>
}

/** For how long an answer holds, and how long one may take. */
const times = { holds: seconds(1), most: seconds(3) }

/**
 * Writes a row that nothing is kept of: what can be read may still take nothing. It waits for no disk and no standby:
 * while those are late, people can read at least.
 */
export const writeNothing = `do $$ begin
  perform set_config('synchronous_commit', 'off', true);
  begin
    insert into files_to_remove (key, since) values (gen_random_uuid()::text, now());
    raise exception sqlstate 'DUET0';
  exception when sqlstate 'DUET0' then null;
  end;
end $$`

/** Whether the database takes what is written: asked once at a time, and once a second at most, by however many. */
function createProbe({ pool, log, space }: Checked): () => Promise<boolean> {
  const isTime = createLinePace()
  let asked: { since: number; answer: Promise<boolean> } | undefined
  const ask = async () => {
    // Without a limit of its own, a connection that hangs would be waited for as long as TCP does.
    const late = new Promise<never>((_, reject) =>
      setTimeout(reject, times.most, new Error('it takes too long')).unref(),
    )
    const answer = async () => {
      const room = await space()
      if (room && isFull(room)) throw new Error('there is no space left in DATA_DIR')
      await pool.query(writeNothing)
    }
    return Promise.race([answer(), late]).then(
      () => true,
      (err) => {
        if (isTime('probe')) log.error({ err }, 'the database takes nothing')
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
 * `/healthz`: the process lives, and which Duet it is. `/readyz`: it can do its work; a database that takes nothing makes it 503, and so does
 * a stop that has begun, so that a load balancer sends no more requests here.
 */
export function serveHealth(app: FastifyInstance, checked: Checked): void {
  const answers = createProbe(checked)
  app.get('/healthz', { schema: { hide: true } }, async () => ({ ok: true, version: build }))
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    if (checked.isStopping()) return reply.code(503).send({ ok: false, stopping: true })
    if (!(await answers())) throw new AppError('unavailable', "The database isn't taking anything.")
    return { ok: true }
  })
}
