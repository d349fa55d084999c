import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/database.ts'

// Any number that no other advisory lock uses.
const trainingLock = 7_204_116

/**
 * Runs `work` and returns its result, or undefined if another process is running it. The lock ends with the connection.
 */
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

/** Up to `most` people who have decided and allow learning: a sample that stays the same for a day. */
export async function findDeciders(db: Db, day: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select s.user_id from standings s join profiles p on p.user_id = s.user_id and p.learn_from_me and not p.hidden
    where s.made > 0 order by hashtext(s.user_id::text || ${day}::text) limit ${most}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

export interface TrainingDecision {
  actor_id: string
  target_id: string
  yes: boolean
  /** A like with a comment. The comment's text isn't read. */
  words: boolean
  decided_at: Date
  recent: boolean
  distance_km: number | null
  /** The inverse of the slot's probability for exploration cards; 0 for all others. */
  exploring: number
}

export interface Period {
  since: Date
  recentSince: Date
  until: Date
}

/** The stored value for a distance that is unknown or beyond all buckets. */
const beyond = 32_767

/**
 * Each viewer's newest decisions about people they were shown, equally many recent and earlier ones. People who weren't
 * shown don't count as passes. Both people must allow learning now and have allowed it at the time. The card is the
 * last one shown before the decision; if its distance wasn't recorded, today's is used.
 */
export async function findShownDecisions(
  db: Db,
  viewers: readonly string[],
  { since, recentSince, until }: Period,
  mostEach: number,
): Promise<TrainingDecision[]> {
  const part = (from: Date, to: Date, recent: boolean) => sql`(
    select d.actor_id, d.target_id, d.decision, d.comment is not null as words, d.decided_at, ${recent}::bool as recent, card.*
    from decisions d cross join lateral (
      select i.distance_km, case when i.slot_kind = 'explore' then 1 / i.propensity::float8 else 0 end as exploring
      from impressions i where i.viewer_id = d.actor_id and i.target_id = d.target_id and i.shown_at <= d.decided_at
      order by i.shown_at desc limit 1) card
    where d.actor_id = v.user_id and d.decision <> 'later' and d.decided_at >= ${from} and d.decided_at < ${to}
      and d.decided_at >= coalesce(vs.learns_since, '-infinity')
    order by d.decided_at desc limit ${mostEach})`
  const { rows } = await sql<TrainingDecision>`
    select d.actor_id, d.target_id, d.decision = 'like' as yes, d.words, d.decided_at, d.recent, d.exploring,
      nullif(coalesce(d.distance_km, distance_bucket(centre_distance_km(here.latitude, here.longitude, there.latitude, there.longitude))), ${beyond}) as distance_km
    from unnest(${viewers}::uuid[]) as v (user_id) left join standings vs on vs.user_id = v.user_id
    cross join lateral (${part(since, recentSince, false)} union all ${part(recentSince, until, true)}) d
    join profiles t on t.user_id = d.target_id and t.learn_from_me and not t.hidden
    left join standings ts on ts.user_id = d.target_id
    left join locations here on here.user_id = d.actor_id left join locations there on there.user_id = d.target_id
    where d.decided_at >= coalesce(ts.learns_since, '-infinity')
    order by d.decided_at, d.actor_id, d.target_id`.execute(db)
  return rows
}

export interface TraitRow {
  user_id: string
  birth_date: string
  traits: number
  avoids: number
  languages: number
  interests_1: number
  interests_2: number
  sheet: Buffer | null
}

/**
 * The traits that matching may use. Includes people who can't be found now, because people pause their profile once
 * they have met someone.
 */
export async function findTraits(db: Db, ids: readonly string[]): Promise<TraitRow[]> {
  const columns = sql`user_id, birth_date::text, traits, avoids, languages, interests_1, interests_2`
  const { rows } = await sql<TraitRow>`
    select c.*, s.sheet from (
      select ${columns} from candidates where user_id = any(${ids}::uuid[])
      union all
      select ${columns} from searchable where user_id = any(array(
        select p.user_id from profiles p where p.user_id = any(${ids}::uuid[]) and not p.hidden
          and not exists (select from candidates c where c.user_id = p.user_id)))) c
    left join answer_sheets s on s.user_id = c.user_id`.execute(db)
  return rows
}

export async function findKept(db: Db): Promise<unknown[]> {
  const { rows } = await sql<{ weights: unknown }>`select weights from models order by version`.execute(db)
  return rows.map(({ weights }) => weights)
}

export async function insertModel(db: Db, weights: object, metrics: object, now: Date, kept: number): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into models (weights, metrics, trained_at) values (${JSON.stringify(weights)}, ${JSON.stringify(metrics)}, ${now})
    returning version`.execute(db)
  await sql`
    delete from models where not active
      and version not in (select version from models order by version desc limit ${kept})`.execute(db)
  return rows[0]?.version ?? 0
}

/** Activates one version, or the defaults for 0. Returns false if the version doesn't exist. */
export async function markActive(db: Db, version: number): Promise<boolean> {
  const there = version === 0 || (await sql`select from models where version = ${version}`.execute(db)).rows.length > 0
  if (!there) return false
  await sql`update models set active = false where active`.execute(db)
  await sql`update models set active = true where version = ${version}`.execute(db)
  return true
}
