import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database.ts'

// Any number that nothing else of Duet locks.
const trainingLock = 7_204_116

/** Runs `work` unless it runs somewhere already; undefined then. The lock goes with the connection. */
export async function withTrainingLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T | undefined> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [trainingLock])
    if (!rows[0]?.free) return undefined
    try {
      return await work()
    } finally {
      await client.query('select pg_advisory_unlock($1)', [trainingLock])
    }
  } finally {
    client.release()
  }
}

/** Up to `most` people who decided and want to be learned from; others every day, the same all day. */
export async function findDeciders(db: Db, day: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select s.user_id from standings s join profiles p on p.user_id = s.user_id and p.learn_from_me
    where s.made > 0 order by hashtext(s.user_id::text || ${day}::text) limit ${most}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

export interface DecisionRow {
  actor_id: string
  target_id: string
  yes: boolean
  decided_at: Date
  distance_km: number | null
}

/**
 * The newest decisions of each of `viewers` since `since`, on people they were shown: who was not shown was not passed
 * on. Both may be learned from, and both can be searched for.
 */
export async function findShownDecisions(
  db: Db,
  viewers: readonly string[],
  since: Date,
  mostEach: number,
): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select d.actor_id, d.target_id, d.decision = 'like' as yes, d.decided_at,
      distance_bucket(centre_distance_km(me.latitude, me.longitude, c.latitude, c.longitude)) as distance_km
    from unnest(${viewers}::uuid[]) as v (user_id)
    cross join lateral (
      select d.actor_id, d.target_id, d.decision, d.decided_at from decisions d
      where d.actor_id = v.user_id and d.decision <> 'later' and d.decided_at >= ${since} and exists (
        select from impressions i
        where i.viewer_id = d.actor_id and i.target_id = d.target_id and i.shown_at <= d.decided_at)
      order by d.decided_at desc limit ${mostEach}) d
    join profiles t on t.user_id = d.target_id and t.learn_from_me
    join candidates me on me.user_id = d.actor_id
    join candidates c on c.user_id = d.target_id
    order by d.decided_at, d.actor_id, d.target_id`.execute(db)
  return rows
}

export interface TraitRow {
  user_id: string
  years: number
  traits: number
  avoids: number
  languages: number
  interests_1: number
  interests_2: number
  sheet: Buffer | null
}

/** What matching may know of `ids`, who are counted in years on `today`. */
export async function findTraits(db: Db, ids: readonly string[], today: string): Promise<TraitRow[]> {
  const { rows } = await sql<TraitRow>`
    select c.user_id, extract(year from age(${today}::date, c.birth_date))::int as years, c.traits, c.avoids, c.languages,
      c.interests_1, c.interests_2, s.sheet
    from candidates c left join answer_sheets s on s.user_id = c.user_id
    where c.user_id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** Keeps a model; the versions before the newest `kept` go, but for the one in use. */
export async function insertModel(db: Db, weights: object, metrics: object, now: Date, kept: number): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into models (weights, metrics, trained_at) values (${JSON.stringify(weights)}, ${JSON.stringify(metrics)}, ${now})
    returning version`.execute(db)
  await sql`
    delete from models where not active
      and version not in (select version from models order by version desc limit ${kept})`.execute(db)
  return rows[0]?.version ?? 0
}

/** Puts one version into use and all others out of it; 0 is none. False when there is no such version. */
export async function putActive(db: Db, version: number): Promise<boolean> {
  const there = version === 0 || (await sql`select from models where version = ${version}`.execute(db)).rows.length > 0
  if (!there) return false
  await sql`update models set active = false where active`.execute(db)
  await sql`update models set active = true where version = ${version}`.execute(db)
  return true
}
