import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

export interface Search {
  viewerId: string
  /** Where the viewer looks from, in degrees. */
  from: { latitude: number; longitude: number }
  /** Regions that hold everything in reach; null looks everywhere. */
  regions: string[] | null
  /** Today in UTC, `YYYY-MM-DD`: ages are counted by it. */
  today: string
  /** Seeds the order inside a bucket; 64 bits. */
  seed: bigint
  /** Where the last page ended. */
  after: { bucket: number; key: string } | undefined
  limit: number
}

/** Beyond the last bucket. */
export const farBucket = 32_767

/**
 * People who fit the viewer and whom the viewer fits: gender, age and distance in both directions, nobody hidden or
 * blocked. Nearest bucket first; inside a bucket by a keyed hash, never by distance.
 */
export async function findNearby(db: Db, search: Search): Promise<{ id: string; bucket: number; key: string }[]> {
  const { viewerId, from, regions, today, seed, after, limit } = search
  const { rows } = await sql<{ id: string; bucket: number; key: string }>`
    with me as materialized (
      select *, extract(year from age(${today}::date, birth_date)) as years from profiles where user_id = ${viewerId}),
    fitting as (
      select p.user_id as id, least(p.max_distance_km, me.max_distance_km) as reach,
        distance_bucket(centre_distance_km(${from.latitude}, ${from.longitude}, l.latitude, l.longitude)) as bucket
      from me, locations l join profiles p on p.user_id = l.user_id
      where p.user_id <> me.user_id and not p.hidden
        and (${regions}::text[] is null or l.region = any(${regions}::text[]))
        and (cardinality(me.interested_in) = 0 or p.gender = any(me.interested_in))
        and (cardinality(p.interested_in) = 0 or me.gender = any(p.interested_in))
        and p.birth_date <= ${today}::date - make_interval(years => me.age_min)
        and p.birth_date > ${today}::date - make_interval(years => me.age_max + 1)
        and me.years between p.age_min and p.age_max),
    ordered as (
      select id, coalesce(bucket, ${farBucket}::smallint) as bucket, uuid_hash_extended(id, ${String(seed)}::bigint) as key
      from fitting where reach is null or bucket <= reach)
    select id, bucket, key::text from ordered
    where (${after?.bucket ?? null}::int is null or (bucket, key) > (${after?.bucket ?? null}::int, ${after?.key ?? null}::bigint))
      and not is_blocked(${viewerId}, id)
    order by bucket, ordered.key limit ${limit}`.execute(db)
  return rows
}

/** Whether the viewer limits the distance, and so whether regions narrow the search. */
export async function findReach(db: Db, viewerId: string): Promise<number | null> {
  const row = await db
    .selectFrom('profiles')
    .select('max_distance_km')
    .where('user_id', '=', viewerId)
    .executeTakeFirst()
  return row?.max_distance_km ?? null
}
