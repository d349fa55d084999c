import type pg from 'pg'

/** The last time that a backup was restored to see that it can be. */
export interface RestoreDrill {
  /** The name of the backup. */
  backup: string
  triedAt: Date
  /** Why it failed, in one line; null when it went well. */
  fault: string | null
}

/** The fault of one that is under way, or whose process ended meanwhile. */
export const unended = 'it did not end'

/** The last drill; undefined before the first. */
export async function findDrill(pool: Pick<pg.Pool, 'query'>): Promise<RestoreDrill | undefined> {
  const { rows } = await pool.query<RestoreDrill>(
    'select backup, tried_at as "triedAt", fault from restore_drills order by tried_at desc limit 1',
  )
  return rows[0]
}

/** Keeps a drill in the place of earlier ones. */
export async function noteDrill(pool: Pick<pg.Pool, 'query'>, { backup, triedAt, fault }: RestoreDrill): Promise<void> {
  await pool.query(
    `with gone as (delete from restore_drills where backup <> $1)
     insert into restore_drills (backup, tried_at, fault) values ($1, $2, $3)
     on conflict (backup) do update set tried_at = excluded.tried_at, fault = excluded.fault`,
    [backup, triedAt, fault],
  )
}
