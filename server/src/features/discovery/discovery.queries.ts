import type { Reason } from '@duet/contract/profiles.ts'
import type pg from 'pg'
import { apart, fitsBothWays, searcherFrom, showsItself } from '../candidates/fits.queries.ts'
import type { SlotKind } from '../matching/deck.ts'

export interface DeckSlot {
  id: string
  kind: SlotKind
  propensity: number
  /** The upper bound of their distance bucket; null if farther or unknown, missing in older decks. */
  distanceKm?: number | null
  why?: Reason[]
}

export interface KeptDeck {
  slots: DeckSlot[]
  modelVersion: number
  builtAt: Date
}

/** A slot whose person can still be shown, with its position in the deck. */
export interface OpenSlot extends DeckSlot {
  slot: number
  noted: boolean
}

export interface OpenDeck extends Pick<KeptDeck, 'modelVersion' | 'builtAt'> {
  slots: OpenSlot[]
}

/**
 * Limits a search for impressions `i` shown since a time to the monthly partitions that can contain them: a deck is at
 * most half an hour old when its cards are shown.
 */
const dealtSince = (moment: string) => `i.deck_at >= ${moment} - interval '1 day'`

// Looks up people and decisions one by one (`offset 0`), whatever the planner expects, in the deck's order and only as
// many as requested. A join to a function's rows keeps their order.
const openDeck = `with me as materialized (select * from ${searcherFrom('$2')})
  select d.model_version as "modelVersion", d.built_at as "builtAt", (
    select coalesce(json_agg(slot || jsonb_build_object('slot', place - 1, 'noted', exists (
      select from impressions i where i.viewer_id = $1 and i.target_id = open.user_id and i.shown_at >= $3 and ${dealtSince('$3::timestamptz')})) order by place), '[]')
    from (select kept.slot, kept.place, c.user_id
      from me cross join jsonb_array_elements(d.slots) with ordinality as kept (slot, place)
      cross join lateral (select * from candidates where user_id = (kept.slot ->> 'id')::uuid offset 0) c
      where ${fitsBothWays} and ${showsItself} and c.user_id not in (${apart})
        and not exists (select from decisions d where d.actor_id = $1 and d.target_id = c.user_id offset 0)
      limit $4) open) as slots
  from decks d where d.user_id = $1`

/**
 * The first `most` people of the searcher's deck who still fit both ways and haven't been decided on. `day` is the
 * start of the day.
 */
export async function findOpenDeck(
  pool: pg.Pool,
  { viewerId, me }: { viewerId: string; me: object },
  { day, most }: { day: Date; most: number },
): Promise<OpenDeck | undefined> {
  const values = [viewerId, JSON.stringify(me), day, most]
  return (await pool.query<OpenDeck>({ name: 'open-deck', text: openDeck, values })).rows[0]
}

export async function putDeck(
  pool: pg.Pool,
  viewerId: string,
  { slots, modelVersion, builtAt }: KeptDeck,
): Promise<void> {
  // The commit doesn't wait for the disk, because a deck lost in a crash is simply rebuilt.
  await pool.query({
    name: 'deck-put',
    text: `with unhurried as (select set_config('synchronous_commit', 'off', true))
      insert into decks (user_id, slots, model_version, built_at)
      select $1::uuid, $2::jsonb, $3::int, $4::timestamptz from unhurried
      on conflict (user_id) do update set (slots, model_version, built_at) = (excluded.slots, excluded.model_version, excluded.built_at)`,
    values: [viewerId, JSON.stringify(slots), modelVersion, builtAt],
  })
}

const today = `date_trunc('day', $3::timestamptz, 'UTC')`

/** The stored distance of a card beyond all buckets, or with an unknown distance. */
const beyondAnyBucket = 32_767

const note = `with shown as (
    insert into impressions (viewer_id, target_id, deck_at, shown_at, slot, slot_kind, propensity, model_version, distance_km)
    select $1, id, $2, $3, slot, kind, propensity, $4, "distanceKm"
    from jsonb_to_recordset($5::jsonb) as s (id uuid, slot smallint, kind text, propensity real, "distanceKm" smallint)
    where not exists (select from impressions i where i.viewer_id = $1 and i.target_id = id
      and i.shown_at >= ${today} and ${dealtSince(today)})
    on conflict do nothing returning target_id)
  insert into standings as s (user_id, impressions) select target_id, 1 from shown order by target_id
  on conflict (user_id) do update set impressions = s.impressions + 1`

/**
 * Records who was shown, and counts it for each person: once per viewer and UTC day, however many decks they are on.
 * Locks people in order of their ids.
 */
export async function addImpressions(
  pool: pg.Pool,
  viewerId: string,
  { builtAt, modelVersion }: Pick<KeptDeck, 'builtAt' | 'modelVersion'>,
  slots: readonly OpenSlot[],
  now: Date,
): Promise<void> {
  const shown = slots.map(({ id, slot, kind, propensity, distanceKm }) => ({
    id,
    slot,
    kind,
    propensity,
    distanceKm: distanceKm === null ? beyondAnyBucket : distanceKm,
  }))
  const values = [viewerId, builtAt, now, modelVersion, JSON.stringify(shown)]
  await pool.query({ name: 'note-impressions', text: note, values })
}

/** The latest 2,000 people who passed the viewer, read from one range of an index. */
export async function findPassers(pool: pg.Pool, viewerId: string): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'deck-passers',
    text: `select actor_id as id from decisions
      where target_id = $1 and decision = 'pass' order by decided_at desc, actor_id limit 2000`,
    values: [viewerId],
  })
  return new Set(rows.map(({ id }) => id))
}

/**
 * The people among `ids` with at least `most` matches since `since`. Ignores matches they don't know of and ended ones.
 */
export async function findAtMatchLimit(
  pool: pg.Pool,
  ids: readonly string[],
  since: Date,
  most: number,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await pool.query<{ id: string }>({
    name: 'deck-busy',
    text: `select id from unnest((select $1::uuid[])) as l (id) where (
      select count(*) from (
        select from matches where user_lo = l.id and matched_at >= $2 and ended_at is null and not is_unheard(user_hi, l.id)
        union all select from matches where user_hi = l.id and matched_at >= $2 and ended_at is null
          and not is_unheard(user_lo, l.id)) m) >= $3`,
    values: [ids, since, most],
  })
  return new Set(rows.map(({ id }) => id))
}
