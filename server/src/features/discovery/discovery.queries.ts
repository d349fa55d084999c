import type { Reason } from '@duet/contract/profiles.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database.ts'
import type { SlotKind } from '../matching/matching.ts'

/** One place of a deck. */
export interface DeckSlot {
  id: string
  kind: SlotKind
  propensity: number
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

export async function putDeck(db: Db, viewerId: string, { slots, modelVersion, builtAt }: KeptDeck): Promise<void> {
  // Whoever loses a deck in a crash gets another one: nobody waits until it is on disk.
  await sql`
    with unhurried as (select set_config('synchronous_commit', 'off', true))
    insert into decks (user_id, slots, model_version, built_at)
    select ${viewerId}::uuid, ${JSON.stringify(slots)}::jsonb, ${modelVersion}::int, ${builtAt}::timestamptz from unhurried
    on conflict (user_id) do update set (slots, model_version, built_at) = (excluded.slots, excluded.model_version, excluded.built_at)`.execute(
    db,
  )
}

export interface Impression {
  targetId: string
  slot: number
  kind: SlotKind
  propensity: number
}

/** Notes who was shown, once a deck, and counts it for each of them. People are locked in id order. */
export async function addImpressions(
  db: Db,
  viewerId: string,
  { builtAt, modelVersion }: Pick<KeptDeck, 'builtAt' | 'modelVersion'>,
  impressions: readonly Impression[],
  now: Date,
): Promise<void> {
  const shown = JSON.stringify(impressions)
  await sql`
    with shown as (
      insert into impressions (viewer_id, target_id, deck_at, shown_at, slot, slot_kind, propensity, model_version)
      select ${viewerId}, "targetId", ${builtAt}, ${now}, slot, kind, propensity, ${modelVersion}
      from jsonb_to_recordset(${shown}::jsonb) as s ("targetId" uuid, slot smallint, kind text, propensity real)
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

/** Those of `ids` who keep it to themselves when they are here. */
export async function findQuiet(pool: pg.Pool, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'deck-quiet',
    text: 'select user_id as id from profiles where user_id = any($1::uuid[]) and hide_presence',
    values: [ids],
  })
  return new Set(rows.map(({ id }) => id))
}

/** Whether the viewer has a place, and whether they keep themselves from others: not whether somebody else does. */
export async function findViewerState(db: Db, viewerId: string) {
  const { rows } = await sql<{ located: boolean; paused: boolean }>`
    select exists (select from locations where user_id = ${viewerId}) as located, p.paused or a.erase_at is not null as paused
    from profiles p join accounts a on a.id = p.user_id where p.user_id = ${viewerId}`.execute(db)
  return rows[0]
}
