import type pg from 'pg'

export interface RestoreDrill {
  backup: string
  triedAt: Date
  fault: string | null
}

/** The fault recorded when a drill starts, replaced when it ends. It remains if the process dies. */
export const unended = 'it did not end'

export async function findDrill(pool: Pick<pg.Pool, 'query'>): Promise<RestoreDrill | undefined> {
  const { rows } = await pool.query<RestoreDrill>(
    'select backup, tried_at as "triedAt", fault from restore_drills order by tried_at desc limit 1',
  )
  return rows[0]
}

export async function noteDrill(pool: Pick<pg.Pool, 'query'>, { backup, triedAt, fault }: RestoreDrill): Promise<void> {
  await pool.query(
    `with gone as (delete from restore_drills where backup <> $1)
     insert into restore_drills (backup, tried_at, fault) values ($1, $2, $3)
     on conflict (backup) do update set tried_at = excluded.tried_at, fault = excluded.fault`,
    [backup, triedAt, fault],
  )
}
