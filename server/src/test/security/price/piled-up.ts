import sharp from 'sharp'
import { seedPeople } from '../../../demo/population.ts'
import { connectOwner } from '../../../platform/database/database.ts'
import type { TestDatabase } from '../../database.ts'
import type { Rows } from '../rows.ts'

/** How much data the account accumulates: what the limits allow within some months. */
export const sizes = {
  people: 6_000,
  around: 2_000,
  conversations: 1_000,
  /** How many conversations there are, and how many messages in each: a list includes the newest 50. */
  talks: 200,
  each: 50,
  /** The length of the longest conversation. Each message is as long and as expensive to fold as allowed. */
  messages: 6_000,
  decisions: 3_000,
  likers: 5_000,
  /** How many people nearby have as many likes as the account. */
  popular: 30,
  blocks: 1_000,
  notifications: 200,
  impressions: 20_000,
  cases: 300,
  dates: 20,
}

const long = (length: number) => `rpad('', ${length}, 'Ąđ ș語 é')`

// $1 is the account and $2 its contact. `crowd` numbers the generated people from 1.
const crowd =
  "with crowd as (select id, row_number() over (order by id) as n from accounts where email like 'seed-1-%')"
const statements = [
  `${crowd} update locations l set (cell, published_cell, latitude, longitude, area, wide_latitude, wide_longitude, wide_area) =
      (select cell, published_cell, latitude, longitude, area, wide_latitude, wide_longitude, wide_area from locations where user_id = $1)
    from crowd where l.user_id = crowd.id and n <= ${sizes.around} and $2::uuid is not null`,
  `${crowd}, peers as (select id from crowd where n > ${sizes.around} and n <= ${sizes.around + sizes.conversations} and $2::uuid is not null),
    talks as (insert into conversations (id, user_lo, user_hi, created_at, last_seq, revision, last_message_at, settled)
      select conversation_id(id, $1), least(id, $1), greatest(id, $1), now(), 1, 1, now(), true from peers),
    members as (insert into conversation_members (user_id, conversation_id, peer_id, listed)
      select $1, conversation_id(id, $1), id, true from peers union all select id, conversation_id(id, $1), $1, true from peers),
    matched as (insert into matches (id, user_lo, user_hi, matched_at)
      select conversation_id(id, $1), least(id, $1), greatest(id, $1), now() from peers)
    insert into messages (conversation_id, seq, revision, sender_id, client_id, body, sent_at, created_at)
      select conversation_id(id, $1), 1, 1, id, 'one', ${long(2_000)}, now(), now() from peers`,
  `${crowd} insert into messages (conversation_id, seq, revision, sender_id, client_id, body, sent_at, created_at)
    select conversation_id(id, $1), seq, seq, id, 'piled-' || seq, ${long(2_000)}, now(), now()
    from crowd, generate_series(2, ${sizes.each}) seq
    where n > ${sizes.around} and n <= ${sizes.around + sizes.talks} and $2::uuid is not null`,
  `${crowd} update conversations set last_seq = ${sizes.each}, revision = ${sizes.each}, last_message_at = now() + interval '1 minute'
    from crowd where conversations.id = conversation_id(crowd.id, $1) and n > ${sizes.around} and n <= ${sizes.around + sizes.talks}
      and $2::uuid is not null`,
  `insert into messages (conversation_id, seq, revision, sender_id, client_id, body, sent_at, created_at)
    select conversation_id($1, $2), n, n, case when n % 2 = 0 then $1::uuid else $2::uuid end, 'piled-' || n, ${long(2_000)}, now(),
      now() + n * interval '1 ms' from generate_series(3, ${sizes.messages}) n`,
  `update conversations set last_seq = ${sizes.messages}, revision = ${sizes.messages}, last_message_at = now()
    where id = conversation_id($1, $2)`,
  `${crowd} insert into decisions (actor_id, target_id, decision, comment, decided_at)
    select $1, id, case when n % 2 = 0 then 'pass' else 'like' end, case when n % 2 = 1 then ${long(300)} end, now() - n * interval '1 minute'
    from crowd where n > ${sizes.people - sizes.decisions} and $2::uuid is not null`,
  `${crowd} insert into decisions (actor_id, target_id, decision, comment, decided_at)
    select id, $1, 'like', ${long(300)}, now() - n * interval '1 minute' from crowd where n <= ${sizes.likers} and $2::uuid is not null`,
  `${crowd} insert into blocks (blocker_id, blocked_id, created_at)
    select $1, id, now() from crowd where n > ${sizes.people - sizes.blocks} and $2::uuid is not null`,
  `insert into notifications (user_id, kind, params, link, created_at)
    select $1, kind, params, link, now() - n * interval '1 minute' from generate_series(1, ${sizes.notifications}) n,
      (select kind, params, link from notifications where user_id = $1 limit 1) one where $2::uuid is not null`,
  `${crowd} insert into impressions (viewer_id, target_id, deck_at, shown_at, slot, slot_kind, propensity, model_version)
    select $1, id, now() - day * interval '1 day', now() - day * interval '1 day', n % 50, 'regular', 0.5, 0
    from crowd, generate_series(1, ${Math.ceil(sizes.impressions / sizes.people)}) day where $2::uuid is not null`,
  `${crowd} insert into reports (reporter_id, reported_id, reported_name, subject, reason, details, evidence, created_at)
    select $1, id, 'Other', '{"kind":"profile"}', 'other', ${long(1_000)}, '{"profile":null,"photos":[],"messages":[]}', now() - n * interval '1 minute'
    from crowd where n <= ${sizes.cases} and $2::uuid is not null`,
  `insert into shared_dates (id, user_id, with_user_id, token_hash, place, note, at, created_at, expires_at)
    select gen_random_uuid(), $1, $2, sha256(gen_random_uuid()::text::bytea), ${long(200)}, ${long(500)}, now(), now(), now() + interval '1 day'
    from generate_series(1, ${sizes.dates}) n`,
  `insert into consents (user_id, purpose, version, granted_at, withdrawn_at)
    select user_id, purpose, version, granted_at - n * interval '1 hour', granted_at - n * interval '59 minutes'
    from (select * from consents where user_id = $1 limit 1) one, generate_series(1, ${sizes.cases}) n where $2::uuid is not null`,
  'analyze',
]

/** Gives `member` as much data as possible in a crowded place. `other` is their contact. */
export async function pileUp(
  { config }: Pick<TestDatabase, 'config'>,
  rows: Rows,
  { member, other }: Record<'member' | 'other', string>,
): Promise<void> {
  // Uses the owner's connection, which has no statement timeout.
  const { db } = connectOwner(config, () => undefined)
  await seedPeople(db, sizes.people, 1, () => undefined)
  await db.destroy()
  for (const statement of statements) await rows.query(statement, statement.includes('$1') ? [member, other] : [])
}

/** Gives the first of `ids` as many likes as the member has. */
export function makePopular(rows: Rows, ids: readonly string[]): Promise<unknown> {
  return rows.query(
    `${crowd} insert into decisions (actor_id, target_id, decision, decided_at)
      select crowd.id, target.id, 'like', now() - n * interval '1 minute'
      from crowd, unnest($1::uuid[]) target (id) where n <= ${sizes.likers} and crowd.id <> target.id
      on conflict do nothing`,
    [ids.slice(0, sizes.popular)],
  )
}

/** A photo close to the maximum number of pixels, within the file size limit. */
export function mostPixelPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', sigma: 20 } as const
  return sharp({ create: { width: 6_200, height: 6_200, channels: 3, background: '#a63', noise } })
    .jpeg({ quality: 40 })
    .toBuffer()
}
