import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** A pseudo-random number in [0, 1), derived from `key` (an SQL bigint) and `salt`: the same on every machine. */
const chance = (key: string, salt: number) =>
  sql.raw(`((hashint8extended(${key}, ${salt}) & 2147483647) / 2147483648.0::float8)`)

/*
 * Salts for independent random traits: how active, popular, picky and well liked each person is. A few people are very
 * popular. `sought` also sets which share of attempts become decisions, 0.367 on average.
 */
const salts = { busy: 1, busyToo: 2, sought: 3, taken: 4, picky: 5, liked: 6, when: 7, start: 8, stride: 9 }
const meanTaken = 0.05 + 0.95 / 3

export async function makeRoom(db: Db): Promise<void> {
  await sql`set local work_mem = '256MB'`.execute(db)
  await sql`set local maintenance_work_mem = '1GB'`.execute(db)
  await sql`set local synchronous_commit = off`.execute(db)
}

/**
 * Numbers the people whose address starts with `emails` in a temporary table: grouped by gender, with neighbours next
 * to each other (cell ids sort from coarse to fine). Returns their count.
 */
export async function numberPeople(db: Db, emails: string, seed: number): Promise<number> {
  await sql`
    create temporary table crowd on commit drop as
    select (row_number() over (order by p.gender, l.published_cell, p.user_id))::int as no, p.user_id, p.gender, p.interested_in,
      l.published_cell as cell, p.created_at, p.last_active_at, hashtextextended(a.email, ${sql.lit(seed)}) as salt
    from accounts a join profiles p on p.user_id = a.id join locations l on l.user_id = a.id
    where starts_with(a.email, ${emails}) and p.gender is not null and not p.paused and not p.hidden`.execute(db)
  await sql`create unique index on crowd (no)`.execute(db)
  await sql`analyze crowd`.execute(db)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from crowd`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Creates a temporary table with a row for each person and gender they seek: the range of numbers around their own to
 * choose from (it starts at `low`, and its size is a power of two), and how many people in it they try. The stride
 * through the range visits nobody twice. People make `mean` decisions on average; a few make many (log-normal).
 */
export async function createLookingTable(db: Db, mean: number): Promise<void> {
  const busy = sql`least(100, exp(1.2 * sqrt(-2 * ln(1 - ${chance('c.salt', salts.busy)})) * cos(6.2831853 * ${chance('c.salt', salts.busyToo)}) - 0.72))`
  await sql`
    create temporary table looking on commit drop as
    with genders as (select gender, min(no) as first, max(no) as last, floor(ln(count(*)::float8) / ln(2::float8) + 1e-9)::int as most from crowd group by gender),
    seeking as (
      select c.*, g.*, case when cardinality(c.interested_in) = 0 then 3 else cardinality(c.interested_in) end as among
      from (select no, user_id, interested_in, cell, created_at, last_active_at, salt from crowd) c
      join (select gender as sought, first, last, most from genders) g on cardinality(c.interested_in) = 0 or g.sought = any(c.interested_in)),
    -- The place each would have in the row of those they seek.
    placed as (
      select no, sought, first, last, most, salt, among, user_id, created_at, last_active_at,
        first + count(*) filter (where mine) over (partition by sought order by cell, own, no) as centre
      from (select s.*, false as mine, 1 as own from seeking s
        union all select c.no, c.user_id, c.interested_in, c.cell, c.created_at, c.last_active_at, c.salt, c.gender, 0, 0, 0, 1, true, 0 from crowd c) both_kinds),
    tried as (
      select c.*, (${sql.lit(mean)} * 1.01 / ${sql.lit(meanTaken)} * ${busy} / among)::int as wanted
      from placed c where last > 0),
    wide as (select *, least(most, ceil(ln(1.5 * wanted::float8 + 16) / ln(2::float8)))::int as bits from tried)
    select no, user_id, created_at, last_active_at, salt, (1 << bits) - 1 as mask, least(wanted, 1 << bits) as tries,
      greatest(first, least(centre - (1 << bits) / 2, last - (1 << bits) + 1)) as low,
      (${chance('salt', salts.start)} * 1e9)::int as start, 2 * (${chance('salt', salts.stride)} * 1e6)::int + 1 as stride,
      (row_number() over (order by no) - 1)::int as place
    from wide`.execute(db)
  await sql`create index on looking (place)`.execute(db)
  await sql`analyze looking`.execute(db)
}

export async function insertDecisions(db: Db, part: { from: number; to: number; now: Date }): Promise<number> {
  const { from, to, now } = part
  const pair = 'looker * 16777216 + target'
  const { numAffectedRows } = await sql`
    insert into decisions (actor_id, target_id, decision, decided_at)
    select actor_id, t.user_id,
      case when ${chance(pair, salts.liked)} < (0.1 + 0.7 * ${chance('looker', salts.picky)}) * (0.1 + 0.8 * sought) then 'like'
        when ${chance(pair, salts.liked)} > 0.97 then 'later' else 'pass' end,
      least(${now}, tried.last_active_at) - (tried.last_active_at - tried.created_at) * ${chance(pair, salts.when)} ^ 2
    from (
      select l.no::bigint as looker, l.user_id as actor_id, l.created_at, l.last_active_at, no.target::bigint as target,
        ${chance('no.target::bigint', salts.sought)} as sought
      from looking l, generate_series(0, l.tries - 1) as j,
        lateral (select l.low + ((l.start + j::bigint * l.stride) & l.mask) as target offset 0) as no
      where l.place >= ${from} and l.place < ${to}) tried
    join crowd t on t.no = target
    where ${chance(pair, salts.taken)} < 0.05 + 0.95 * sought ^ 2 and t.user_id <> actor_id
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function countLookers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from looking`.execute(db)
  return rows[0]?.count ?? 0
}

export async function isUndecided(db: Db): Promise<boolean> {
  const { rows } = await sql<{ empty: boolean }>`select not exists (select from decisions) as empty`.execute(db)
  return rows[0]?.empty ?? false
}

/**
 * Drops all keys and indexes of decisions and locks the table until the transaction ends. Returns the statements that
 * recreate them.
 */
export async function dropIndexes(db: Db): Promise<string[]> {
  await sql`lock table decisions in access exclusive mode`.execute(db)
  const { rows } = await sql<{ drop: string; make: string }>`
    select format('alter table decisions drop constraint %I', conname) as drop,
      format('alter table decisions add constraint %I %s', conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where conrelid = 'decisions'::regclass and contype in ('p', 'f')
    union all select format('drop index %I', indexrelid::regclass::text), pg_get_indexdef(indexrelid)
    from pg_index where indrelid = 'decisions'::regclass and not indisprimary`.execute(db)
  for (const { drop } of rows) await sql.raw(drop).execute(db)
  return rows.map(({ make }) => make)
}

export async function makeIndexes(db: Db, commands: readonly string[]): Promise<void> {
  for (const command of commands) await sql.raw(command).execute(db)
}

export async function matchMutualLikes(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with mutual as materialized (
      select a.actor_id as lo, a.target_id as hi, greatest(a.decided_at, b.decided_at) as at
      from decisions a join decisions b on b.actor_id = a.target_id and b.target_id = a.actor_id
      where a.decision = 'like' and b.decision = 'like' and a.actor_id < a.target_id
        and not exists (select from matches m where m.user_lo = a.actor_id and m.user_hi = a.target_id)),
    opened as (insert into conversations (id, user_lo, user_hi, created_at)
      select conversation_id(lo, hi), lo, hi, at from mutual on conflict do nothing),
    joined as (insert into conversation_members (user_id, conversation_id, peer_id)
      select lo, conversation_id(lo, hi), hi from mutual union all select hi, conversation_id(lo, hi), lo from mutual
      on conflict do nothing),
    matched as (insert into matches (id, user_lo, user_hi, matched_at)
      select conversation_id(lo, hi), lo, hi, at from mutual on conflict do nothing returning 1)
    select count(*)::int as count from matched`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Computes the ranking's statistics from the decisions: how often people like and are liked (logits relative to 30%,
 * shrunk to 0 by five decisions), and the pending likes of the last four weeks.
 */
export async function insertTallies(db: Db, now: Date): Promise<void> {
  const effect = (yes: string, all: string) =>
    sql.raw(`ln((coalesce(${yes}, 0) + 1.5) / (coalesce(${all} - ${yes}, 0) + 3.5)) + ln(3.5 / 1.5)`)
  await sql`
    with made as (select actor_id as id, count(*) as n, count(*) filter (where decision = 'like') as yes from decisions group by 1),
    received as (select target_id as id, count(*) as n, count(*) filter (where decision = 'like') as yes from decisions group by 1),
    waiting as (
      select target_id as id, sum(power(2, -extract(epoch from ${now}::timestamptz - decided_at)::float8 / 604800)) as n
      from decisions d where decision = 'like' and decided_at > ${now}::timestamptz - interval '28 days' and not exists (
        select from decisions back where back.actor_id = d.target_id and back.target_id = d.actor_id and back.decision <> 'later')
      group by 1)
    insert into standings (user_id, says_yes, is_liked, made_weight, received_weight, made, received, impressions, pending, pending_at)
    select c.user_id, ${effect('made.yes', 'made.n')}, ${effect('received.yes', 'received.n')}, 0.21 * coalesce(made.n, 0),
      0.21 * coalesce(received.n, 0), coalesce(made.n, 0), coalesce(received.n, 0), coalesce(received.n * 5 / 4, 0),
      coalesce(waiting.n, 0), ${now}
    from crowd c left join made on made.id = c.user_id left join received on received.id = c.user_id
      left join waiting on waiting.id = c.user_id
    order by c.user_id
    on conflict (user_id) do nothing`.execute(db)
}

/** Updates the query planner's statistics. Don't call it in a transaction that changed indexes. */
export async function analyzeDecisions(db: Db): Promise<void> {
  await sql`analyze decisions, matches, conversations, conversation_members, standings`.execute(db)
}
