import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { type Db, historyOf } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'
import type { ConversationRefusal } from './refusals.ts'

export interface ConversationRow {
  id: string
  /** The viewer, and the index of their request when several viewers are queried together. */
  viewer_id: string
  place: number
  peer_id: string
  name: string
  last_seq: number
  last_at: Date | null
  revision: number
  unread_count: number
  my_read_seq: number
  /** How far the other person has read; 0 for a request, or if either person has turned read receipts off. */
  read_seq: number
  delivered_seq: number
  muted: boolean
  archived: boolean
  matched: boolean
  is_request: boolean
  /** Either person hides their presence. */
  quiet: boolean
  /** Listed, and the viewer may see the other person. */
  visible: boolean
}

/** Why the viewer can't see a person, or may not write to them; null if they may. */
export async function findRefusalToRead(
  db: Db,
  viewerId: string,
  peerId: string,
  needsMatch: boolean,
): Promise<ConversationRefusal | null> {
  const { rows } = await sql<{ refusal: ConversationRefusal | null }>`
    select refusal_to_read(${viewerId}, ${peerId}, ${needsMatch}) as refusal`.execute(db)
  return rows[0]?.refusal ?? null
}

/** Opens the conversation if needed and lists it for the opener. Returns whether it wasn't listed before. */
export async function openAndList(db: Db, openerId: string, peerId: string, now: Date): Promise<boolean> {
  await sql`select open_conversation(${openerId}, ${peerId}, ${now}::timestamptz)`.execute(db)
  const isNew = await setPlace(db, openerId, peerId, { listed: true })
  // Taking the conversation off the list may have archived it.
  if (isNew) await setPlace(db, openerId, peerId, { archived: false })
  return isNew
}

interface Place {
  listed?: boolean
  muted?: boolean | undefined
  archived?: boolean | undefined
  accepted?: boolean | undefined
}

/**
 * Changes how a conversation is kept in one person's list. Locks the conversation first, so that a concurrent message
 * sees either all of the change or none. Returns whether anything changed.
 */
export async function setPlace(db: Db, userId: string, peerId: string, place: Place): Promise<boolean> {
  const wanted = Object.entries(place).filter(([, value]) => value !== undefined)
  if (wanted.length === 0) return false
  await sql`select from conversations where id = conversation_id(${userId}, ${peerId}) for update`.execute(db)
  const { rows } = await sql`
    with moved as (
      update conversation_members set changed = pg_current_xact_id(), ${sql.join(wanted.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
      where user_id = ${userId} and conversation_id = conversation_id(${userId}, ${peerId})
        and (${sql.join(
          wanted.map(([column, value]) => sql`${sql.ref(column)} <> ${value}`),
          sql` or `,
        )})
      returning conversation_id)
    update conversations set settled = false from moved where id = conversation_id
    returning id`.execute(db)
  return rows.length > 0
}

/**
 * Removes a conversation from a person's list. Returns whether it was listed. Also archives an empty conversation:
 * otherwise it would look like one that only the other person has opened, which this person must not know of.
 */
export async function takeOff(db: Db, userId: string, peerId: string): Promise<boolean> {
  const wasListed = await setPlace(db, userId, peerId, { listed: false })
  if (!wasListed) return false
  await sql`update conversation_members m set archived = true from conversations c
    where m.user_id = ${userId} and m.conversation_id = conversation_id(${userId}, ${peerId})
      and c.id = m.conversation_id and c.last_seq = 0`.execute(db)
  return true
}

/** Takes a conversation off both lists. The messages stay until the accounts are erased. */
export async function unlist(db: Db, a: string, b: string): Promise<void> {
  await setPlace(db, a, b, { listed: false })
  await setPlace(db, b, a, { listed: false })
}

/** Marks a conversation as changed for both people, so that their next sync includes it. */
export async function touchConversation(db: Db, a: string, b: string): Promise<void> {
  await sql`select touch_conversation(${a}, ${b})`.execute(db)
}

const isLo = sql`m.user_id < m.peer_id`
const side = (mine: string, theirs: string) => sql`case when ${isLo} then ${sql.ref(mine)} else ${sql.ref(theirs)} end`

const noConversation = sql.lit('00000000-0000-0000-0000-000000000000')
// The receiver must not notice held messages, so a held conversation that they opened too looks empty to them.
const isHeld = sql`(m.held_from is not null and m.held_from <> m.user_id)`
const unheld = (what: RawBuilder<unknown>) => sql`case when ${isHeld} then 0 else ${what} end`
// For the viewer there is no conversation if only the other person opened it and it is empty, or if it belongs to a
// match that the viewer hasn't been notified of.
const isKnown = sql`(m.listed or m.archived or c.last_seq > 0
  or exists (select from matches s where s.id = c.id) and not is_unheard(m.peer_id, m.user_id))`
const isMatched = sql`(s.id is not null and s.ended_at is null)`
// While the viewer's messages are a request, the viewer doesn't learn whether they arrived or were read.
const isAnswered = sql`(${side('m.wrote_hi', 'm.wrote_lo')} or ${isMatched}
  or (select accepted from conversation_members o where o.user_id = m.peer_id and o.conversation_id = m.id))`
const isReachable = sql`(p.visible and (not ${isHeld} or m.listed) and s.ended_at is null and mine.blocker_id is null and theirs.blocker_id is null)`
const newestFirst = sql`order by case when ${isHeld} then m.created_at else coalesce(m.last_message_at, m.created_at) end desc, m.id desc`

/** A query for a viewer's conversations that changed since a sync point; for all of them if `since` is undefined. */
export interface Asked {
  viewerId: string
  since?: string | undefined
}

/**
 * Conversations of each viewer, including ones they may not see. Picks each viewer's few rows first and looks up the
 * other people one by one (`offset 0`), whatever the planner estimates. Joins blocks and matches because PostgreSQL
 * can't inline functions that read tables.
 */
function rowsOf(name: string, asked: readonly Asked[], picked: RawBuilder<unknown>, seen: RawBuilder<unknown>) {
  const viewers = asked.map(({ viewerId }) => viewerId)
  const since = asked.map((one) => one.since ?? '0')
  const isOne = asked.length === 1
  // For a single viewer, the generic plan costs no more than a custom one, so PostgreSQL plans only once.
  const questions = isOne
    ? sql`(select ${viewers[0]}::uuid as viewer_id, ${since[0]}::xid8 as since, 1::bigint as place) asked`
    : sql`unnest((select ${viewers}::uuid[]), (select ${since}::xid8[])) with ordinality as asked (viewer_id, since, place)`
  return sql<ConversationRow>`${named(isOne ? name : `${name}-of-many`)}
    with m as materialized (
      select asked.place, picked.*
      from ${questions}
      cross join lateral (
        select c.*, m.user_id, m.peer_id, m.listed, m.muted, m.archived, m.accepted
        from conversation_members m join conversations c on c.id = m.conversation_id
        where m.user_id = asked.viewer_id and ${picked} offset 0) picked)
    select (m.place - 1)::integer as place, case when ${isHeld} then ${noConversation}::uuid else m.id end as id,
      m.user_id as viewer_id, m.peer_id, p.name, ${unheld(sql`m.last_seq`)} as last_seq,
      case when not ${isHeld} then m.last_message_at end as last_at, ${unheld(sql`m.revision`)} as revision,
      m.muted, m.archived, ${isMatched} as matched,
      ${unheld(side('m.unread_lo', 'm.unread_hi'))} as unread_count, ${unheld(side('m.read_lo', 'm.read_hi'))} as my_read_seq,
      case when p.answered and p.read_receipts and me.read_receipts then ${unheld(side('m.read_hi', 'm.read_lo'))} else 0 end as read_seq,
      case when p.answered then ${unheld(side('m.delivered_hi', 'm.delivered_lo'))} else 0 end as delivered_seq,
      not ${isHeld} and not ${isMatched} and not m.accepted and ${side('m.wrote_hi', 'm.wrote_lo')} and not ${side('m.wrote_lo', 'm.wrote_hi')} as is_request,
      p.hide_presence or me.hide_presence as quiet, m.listed and ${isReachable} as visible
    from m
    left join matches s on s.id = m.id
    cross join lateral (
      select name, read_receipts, hide_presence, ${isAnswered} as answered,
        is_visible_to(profiles, m.user_id, s.id is not null) as visible
      from profiles where user_id = m.peer_id offset 0) p
    cross join lateral (select read_receipts, hide_presence from profiles where user_id = m.user_id offset 0) me
    left join blocks mine on mine.blocker_id = m.user_id and mine.blocked_id = m.peer_id
    left join blocks theirs on theirs.blocker_id = m.peer_id and theirs.blocked_id = m.user_id
    where ${seen}`
}

/**
 * The conversations in each viewer's list, latest message first; only the one with `peerId` if it is set. `isWhole` is
 * false if the limit may have shortened a list.
 */
export async function findConversations(
  db: Db,
  asked: readonly Asked[],
  limit: number,
  peerId?: string,
): Promise<{ rows: ConversationRow[]; isWhole: boolean }> {
  const ofPeer = peerId === undefined ? sql`true` : sql`m.peer_id = ${peerId}`
  const name = peerId === undefined ? 'conversations' : 'listed-conversation'
  // The limit is applied before the joins, so that only the first rows of a long list are read.
  const picked = sql`m.listed and ${ofPeer} order by coalesce(c.last_message_at, c.created_at) desc, c.id desc limit ${limit}`
  const { rows } = await sql<ConversationRow>`${rowsOf(name, asked, picked, sql`true`)} ${newestFirst}`.execute(db)
  return { rows: rows.filter((row) => row.visible), isWhole: rows.length < limit }
}

/** Conversations that changed since the sync point, including ones the viewer no longer sees. */
export async function findChanged(db: Db, asked: readonly Asked[]): Promise<ConversationRow[]> {
  // Includes held conversations only for people who knew of them before, and never ones that the other person opened
  // without writing.
  const changed = sql`(c.changed >= asked.since or m.changed >= asked.since) and ${isKnown}
    and (c.held_from is null or c.held_from = asked.viewer_id or m.listed or c.held_seq > 0)`
  const { rows } =
    await sql<ConversationRow>`${rowsOf('changed-conversations', asked, changed, sql`true`)} ${newestFirst}`.execute(db)
  return rows
}

/** The viewer's conversation with a person they may see, listed or not. */
export async function findConversation(db: Db, viewerId: string, peerId: string): Promise<ConversationRow | undefined> {
  const picked = sql`m.conversation_id = conversation_id(${viewerId}, ${peerId}) and ${isKnown}`
  return (await rowsOf('conversation', [{ viewerId }], picked, isReachable).execute(db)).rows[0]
}

export interface SyncPoint {
  /** Transaction numbers are only comparable within the same history. */
  history: string
  at: string
}

/** The sync point for the next query: this query sees every transaction before it. */
export async function currentSyncPoint(db: Db): Promise<SyncPoint> {
  const { rows } = await sql<SyncPoint>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as at, ${sql.raw(historyOf)} as history`.execute(db)
  return rows[0] as SyncPoint
}

interface Read {
  seq: number
  unread: number
  lastSeq: number
  moved: boolean
  /** Both people have read receipts on. */
  told: boolean
  /** The other person hasn't been told yet that the messages up to `seq` have arrived. */
  delivered: boolean
}

/**
 * Marks messages as read up to `seq`. Undefined if the conversation doesn't exist or is hidden, for example by a block.
 */
export async function readUpToSeq(db: Db, readerId: string, peerId: string, seq: number): Promise<Read | undefined> {
  // The conversation is locked, so no message can be added between reading it and counting.
  const { rows } = await sql<Read>`${named('read-up-to')}
    with held as materialized (
      select c.last_seq, c.clear, c.clear_receipts, c.held_from is null as heard from conversations c
      where c.id = conversation_id(${readerId}, ${peerId}) and (c.held_from is null or c.held_from = ${readerId})
        and (c.clear or exists (select from conversation_members m
          where m.conversation_id = c.id and m.user_id = ${readerId} and ${isKnown})) for update
    )
    select o_seq as seq, o_unread as unread, last_seq as "lastSeq", o_moved as moved,
      heard and case when clear then clear_receipts
        else (select bool_and(read_receipts) from profiles where user_id in (${readerId}, ${peerId})) end as told,
      heard and o_delivered as delivered
    from (select held.last_seq, held.clear, held.clear_receipts,
        case when clear then null else refusal_to_read(${readerId}, ${peerId}, false) end as refusal,
        clear or heard and tells_marks(${readerId}, ${peerId})
          and (select not hidden from profiles where user_id = ${readerId}) as heard
      from held offset 0) own
    cross join lateral read_up_to(
      case when refusal is null and last_seq is not null then ${readerId}::uuid end, ${peerId}, ${seq}::bigint)
    where o_seq is not null`.execute(db)
  return rows[0]
}

const deliver = {
  name: 'delivered-up-to',
  // A hidden person's read and delivery marks aren't published, so they don't move.
  text: `select refused, case when clear or tells_marks($1, $2) then arrived end as seq
    from (select refused, clear, case when clear or not refused and not (select hidden from profiles where user_id = $1)
      then delivered_up_to($1, $2, $3) end as arrived from (
        select coalesce(c.clear, false) as clear, c.clear is not true and (
          refusal_to_read($1, $2, false) is not null or (c.held_from is null or c.held_from = $1) is not true
          or not exists (select from conversation_members m where m.conversation_id = c.id and m.user_id = $1
            and (m.listed or m.archived or c.last_seq > 0 or exists (select from matches s where s.id = c.id)))) as refused
        from (select conversation_id($1, $2) as id) pair left join conversations c on c.id = pair.id offset 0) asked
      offset 0) moved`,
}

/** Marks messages as delivered up to a seq. The returned `seq` is null if they already were. */
export async function deliverUpToSeq(
  pool: Pick<pg.Pool, 'query'>,
  receiverId: string,
  senderId: string,
  seq: number,
): Promise<{ refused: boolean; seq: number | null }> {
  const { rows } = await pool.query({ ...deliver, values: [receiverId, senderId, seq] })
  return rows[0]
}

export interface Listener {
  place: number
  name: string
  body: string
  attachment: 'photo' | 'voice' | null
  hidden_words: string[]
}

/**
 * Finds the absent receivers to notify: those who haven't muted the conversation and haven't read the message. A
 * repeated message must have been stored after `repeatedSince`.
 */
export async function findListeners(
  db: Db,
  told: readonly { senderId: string; receiverId: string; seq: number; repeated?: boolean }[],
  repeatedSince: Date,
): Promise<Listener[]> {
  const { rows } = await sql<Listener>`
    select (given.place - 1)::integer as place, p.name, x.body, a.kind as attachment, own.hidden_words
    from unnest(${told.map((one) => one.receiverId)}::uuid[], ${told.map((one) => one.senderId)}::uuid[],
      ${told.map((one) => one.seq)}::bigint[], ${told.map(({ repeated = false }) => repeated)}::boolean[]) with ordinality
      as given (receiver, sender, seq, repeated, place)
    join conversation_members m on m.user_id = given.receiver and m.conversation_id = conversation_id(given.receiver, given.sender)
    join conversations c on c.id = m.conversation_id
    join profiles p on p.user_id = given.sender
    join profiles own on own.user_id = given.receiver
    join messages x on x.conversation_id = c.id and x.seq = given.seq
    left join attachments a on a.id = x.attachment_id and a.conversation_id = x.conversation_id
    where not m.muted and not p.hidden and x.deleted_at is null and ${side('c.read_lo', 'c.read_hi')} < given.seq
      and (not given.repeated or x.created_at > ${repeatedSince})`.execute(db)
  return rows
}
