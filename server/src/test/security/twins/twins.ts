import { randomUUID } from 'node:crypto'
import { publishMoves } from '../../../features/places/places.ts'
import { newToken } from '../../../platform/security/session.ts'
import { startTestApp, stoppedClock, type TestApp } from '../../app.ts'
import { person } from '../../people.ts'
import { putNewcomer } from '../newcomers.ts'
import { rowsOf } from '../rows.ts'

export interface Twin {
  id: string
  token: string
}

/** Two copies of the app that differ only in the input that a test varies. */
export interface Twins {
  worlds: readonly [TestApp, TestApp]
  join(name: string): Promise<Twin>
  leave(twins: readonly Twin[]): Promise<void>
  /** Advances the clocks of both worlds and publishes location changes that are due. */
  pass(ms: number): Promise<void>
  /**
   * Waits until no job is due in either world, because a newcomer's announcement depends on what happened before it
   * ran.
   */
  rest(): Promise<void>
  close(): Promise<void>
}

const dueJobs = 'select 1 from graphile_worker._private_jobs where locked_at is not null or run_at <= now() limit 1'

// People are removed while they are being announced, and the job would log an error.
const quiet = { LOG_LEVEL: 'fatal' }

/** Starts both worlds at the same time with stopped clocks and the same secrets. */
export async function startTwins(): Promise<Twins> {
  const clock = stoppedClock(new Date('2026-07-01T12:00:00Z'))
  const worlds = [await startTestApp(quiet, { clock }), await startTestApp(quiet, { clock })] as const
  const rows = [await rowsOf(worlds[0]), await rowsOf(worlds[1])] as const
  for (const world of worlds) await person(world, { name: 'Model' })
  return {
    worlds,
    join: async (name) => {
      const twin = { id: randomUUID(), token: newToken(), session: randomUUID(), name }
      await Promise.all(rows.map((world) => putNewcomer(world, clock, twin)))
      return twin
    },
    leave: async (gone) => {
      const ids = gone.map(({ id }) => id)
      await Promise.all(rows.map((world) => world.query('delete from accounts where id = any($1::uuid[])', [ids])))
    },
    pass: async (ms) => {
      clock.advance(ms)
      await Promise.all(worlds.map(({ platform }) => publishMoves(platform)))
    },
    rest: async () => {
      for (const world of rows)
        while ((await world.query(dueJobs, [])).length > 0) await new Promise((resolve) => setTimeout(resolve, 2))
    },
    close: async () => {
      await Promise.all(rows.map((world) => world.close()))
      await Promise.all(worlds.map((world) => world.close()))
    },
  }
}
