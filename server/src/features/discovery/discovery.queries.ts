import type { Reason } from '@duet/contract/profiles.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/database.ts'
import type { SlotKind } from '../matching/deck.ts'

/** One place of a deck. */
export interface DeckSlot {
  id: string
  kind: SlotKind
  propensity: number
  /** Upper bound of the bucket of their distance, null beyond or unknown; decks of before lack it. */
  distanceKm?: number | null
  why?: Reason[]
}

export interface KeptDeck {
  slots: DeckSlot[]
  modelVersion: number
  builtAt: Date
}

export async function findDeck(db: Db, viewerId: string): Promise<KeptDeck | undefined> {
  const row = await db
    .selectFrom('decks')
    .select(['slots', 'model_version', 'built_at'])
    .where('user_id', '=', viewerId)
    .executeTakeFirst()
  return row && { slots: row.slots as unknown as DeckSlot[], modelVersion: row.model_version, builtAt: row.built_at }
}

export async function putDeck(
  pool: pg.Pool,
  viewerId: string,
  { slots, modelVersion, builtAt }: KeptDeck,
): Promise<void> {
  // A deck that is lost in a crash is built again, so the commit does not wait for the disk.
  await pool.query({
    name: 'deck-put',
    text: `with unhurried as (select set_config('synchronous_commit', 'off', true))
      insert into decks (user_id, slots, model_version, built_at)
      select $1::uuid, $2::jsonb, $3::int, $4::timestamptz from unhurried
      on conflict (user_id) do update set (slots, model_version, built_at) = (excluded.slots, excluded.model_version, excluded.built_at)`,
    values: [viewerId, JSON.stringify(slots), modelVersion, builtAt],
  })
}

export interface Impression {
  targetId: string
  slot: number
  kind: SlotKind
  propensity: number
  distanceKm?: number | null | undefined
}

/** What is noted of a card further away than any bucket, or at an unknown distance. */
const beyondAnyBucket = 32_767

/**
 * Notes who was shown, once for a viewer and a day (UTC) however many decks they are in, and counts it for each of them.
 * People are locked in id order.
 */
export async function addImpressions(
  db: Db,
  viewerId: string,
  { builtAt, modelVersion }: Pick<KeptDeck, 'builtAt' | 'modelVersion'>,
  impressions: readonly Impression[],
  now: Date,
): Promise<void> {
  const shown = JSON.stringify(
    impressions.map((one) => ({ ...one, distanceKm: one.distanceKm === null ? beyondAnyBucket : one.distanceKm })),
  )
  await sql`
    with shown as (
      insert into impressions (viewer_id, target_id, deck_at, shown_at, slot, slot_kind, propensity, model_version, distance_km)
      select ${viewerId}, "targetId", ${builtAt}, ${now}, slot, kind, propensity, ${modelVersion}, "distanceKm"
      from jsonb_to_recordset(${shown}::jsonb) as s ("targetId" uuid, slot smallint, kind text, propensity real, "distanceKm" smallint)
      where not exists (select from impressions i where i.viewer_id = ${viewerId} and i.target_id = "targetId"
        and i.shown_at >= date_trunc('day', ${now}::timestamptz, 'UTC'))
      on conflict do nothing returning target_id)
    insert into standings as s (user_id, impressions) select target_id, 1 from shown order by target_id
    on conflict (user_id) do update set impressions = s.impressions + 1`.execute(db)
}

/** The latest 2,000 who passed the viewer, from one stretch of an index. */
export async function findPassers(pool: pg.Pool, viewerId: string): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'deck-passers',
    text: `select actor_id as id from decisions
      where target_id = $1 and decision = 'pass' order by decided_at desc, actor_id limit 2000`,
    values: [viewerId],
  })
  return new Set(rows.map(({ id }) => id))
}

/** Those of `ids` who have made at least `most` matches since `since` that they know of and that have not ended. */
export async function findAtMatchLimit(
  pool: pg.Pool,
  ids: readonly string[],
  since: Date,
  most: number,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await pool.query<{ id: string }>({
    name: 'deck-busy',
    text: `select id from unnest($1::uuid[]) as l (id) where (
      select count(*) from (
        select from matches where user_lo = l.id and matched_at >= $2 and ended_at is null and not is_unheard(user_hi, l.id)
        union all select from matches where user_hi = l.id and matched_at >= $2 and ended_at is null
          and not is_unheard(user_lo, l.id)) m) >= $3`,
    values: [ids, since, most],
  })
  return new Set(rows.map(({ id }) => id))
}

/** Whether the viewer has a place, and whether they hide themselves from others; not whether others do. */
export async function findViewerState(db: Db, viewerId: string) {
  const { rows } = await sql<{ located: boolean; paused: boolean }>`
    select exists (select from locations where user_id = ${viewerId}) as located, p.paused or a.erase_at is not null as paused
    from profiles p join accounts a on a.id = p.user_id where p.user_id = ${viewerId}`.execute(db)
  return rows[0]
}
