import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database.ts'
import type { Refusal } from './refusals.ts'

/** A conversation as one of its two people sees it. */
export interface ConversationRow {
  id: string
  /** Whose view it is, and which of several questions it answers. */
  viewer_id: string
  place: number
  peer_id: string
  name: string
  last_seq: number
  revision: number
  unread_count: number
  my_read_seq: number
  /** How far the other person has read; 0 where one of the two keeps that to themselves. */
  read_seq: number
  delivered_seq: number
  muted: boolean
  archived: boolean
  matched: boolean
  is_request: boolean
  /** One of the two keeps it to themselves when they are here. */
  quiet: boolean
  /** Listed, and nothing stands between the two. */
  visible: boolean
}

/** Why the viewer may not write to somebody; null when nothing speaks against it. */
export async function findRefusal(
  db: Db,
  viewerId: string,
  peerId: string,
  needsMatch: boolean,
): Promise<Refusal | null> {
  const { rows } = await sql<{ refusal: Refusal | null }>`
    select refusal_to_write(${viewerId}, ${peerId}, ${needsMatch}) as refusal`.execute(db)
  return rows[0]?.refusal ?? null
}

/** Makes the conversation when it is not there and lists it for the opener; true when it was not listed before. */
export async function openAndList(db: Db, openerId: string, peerId: string, now: Date): Promise<boolean> {
  await sql`select open_conversation(${openerId}, ${peerId}, ${now}::timestamptz)`.execute(db)
  const isNew = await setPlace(db, openerId, peerId, { listed: true })
  // Taken off the list before, it was put away.
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
 * Changes where a conversation stands in somebody's list. Its row is locked first: a message that comes meanwhile sees
 * all of it or nothing. True when something changed.
 */
export async function setPlace(db: Db, userId: string, peerId: string, place: Place): Promise<boolean> {
  const wanted = Object.entries(place).filter(([, value]) => value !== undefined)
  if (wanted.length === 0) return false
  await sql`select from conversations where id = conversation_id(${userId}, ${peerId}) for update`.execute(db)
  const { rows } = await sql`
    with moved as (
      update conversation_members set ${sql.join(wanted.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
      where user_id = ${userId} and conversation_id = conversation_id(${userId}, ${peerId})
        and (${sql.join(
          wanted.map(([column, value]) => sql`${sql.ref(column)} <> ${value}`),
          sql` or `,
        )})
      returning conversation_id)
    update conversations set settled = false, changed = pg_current_xact_id() from moved where id = conversation_id
    returning id`.execute(db)
  return rows.length > 0
}

/**
 * Takes a conversation off somebody's list; true when it was on it. One without messages is put away as well: nothing
 * else would tell what somebody had from what only the other one opened, of which they never hear.
 */
export async function takeOff(db: Db, userId: string, peerId: string): Promise<boolean> {
  const wasListed = await setPlace(db, userId, peerId, { listed: false })
  if (!wasListed) return false
  await sql`update conversation_members m set archived = true from conversations c
    where m.user_id = ${userId} and m.conversation_id = conversation_id(${userId}, ${peerId})
      and c.id = m.conversation_id and c.last_seq = 0`.execute(db)
  return true
}

/** Takes a conversation off both lists. Its messages stay until the accounts go. */
export async function unlist(db: Db, a: string, b: string): Promise<void> {
  await setPlace(db, a, b, { listed: false })
  await setPlace(db, b, a, { listed: false })
}

const isLo = sql`m.user_id < m.peer_id`
const side = (mine: string, theirs: string) => sql`case when ${isLo} then ${sql.ref(mine)} else ${sql.ref(theirs)} end`

const noConversation = sql.lit('00000000-0000-0000-0000-000000000000')
// What is held back is not there for the other one, who may have opened a conversation of their own: an empty one.
const isHeld = sql`(m.held_from is not null and m.held_from <> m.user_id)`
const unheld = (what: RawBuilder<unknown>) => sql`case when ${isHeld} then 0 else ${what} end`
const isMatched = sql`(s.id is not null and s.ended_at is null)`
// As may_see says it, in line; of two who talk, almost nobody is incognito.
const isReachable = sql`(not p.hidden and (not ${isHeld} or m.listed) and s.ended_at is null and mine.blocker_id is null and theirs.blocker_id is null
  and (not p.incognito or s.id is not null or shows_to(m.peer_id, m.user_id)))`
const newestFirst = sql`order by case when ${isHeld} then m.created_at else coalesce(m.last_message_at, m.created_at) end desc, m.id desc`

/** Somebody's conversations that are to be seen, and since when they changed; all of them without. */
export interface Asked {
  viewerId: string
  since?: string | undefined
}

/**
 * Rows of conversations as those who asked see them, whether they do or not. Their own few rows are picked first and
 * their people looked up one by one, whatever the planner thinks of how many they are (`offset 0`); blocks and matches are
 * joined, since functions that look into tables are not inlined.
 */
function rowsOf(asked: readonly Asked[], picked: RawBuilder<unknown>, seen: RawBuilder<unknown>) {
  const viewers = asked.map(({ viewerId }) => viewerId)
  const since = asked.map((one) => one.since ?? '0')
  return sql<ConversationRow>`
    with m as materialized (
      select asked.place, picked.*
      from unnest(${viewers}::uuid[], ${since}::xid8[]) with ordinality as asked (viewer_id, since, place)
      cross join lateral (
        select c.*, m.user_id, m.peer_id, m.listed, m.muted, m.archived, m.accepted
        from conversation_members m join conversations c on c.id = m.conversation_id
        where m.user_id = asked.viewer_id and ${picked} offset 0) picked)
    select (m.place - 1)::integer as place, case when ${isHeld} then ${noConversation}::uuid else m.id end as id,
      m.user_id as viewer_id, m.peer_id, p.name, ${unheld(sql`m.last_seq`)} as last_seq, ${unheld(sql`m.revision`)} as revision,
      m.muted, m.archived, ${isMatched} as matched,
      ${unheld(side('m.unread_lo', 'm.unread_hi'))} as unread_count, ${unheld(side('m.read_lo', 'm.read_hi'))} as my_read_seq,
      case when p.read_receipts and me.read_receipts then ${unheld(side('m.read_hi', 'm.read_lo'))} else 0 end as read_seq,
      ${unheld(side('m.delivered_hi', 'm.delivered_lo'))} as delivered_seq,
      not ${isHeld} and not ${isMatched} and not m.accepted and ${side('m.wrote_hi', 'm.wrote_lo')} and not ${side('m.wrote_lo', 'm.wrote_hi')} as is_request,
      p.hide_presence or me.hide_presence as quiet, m.listed and ${isReachable} as visible
    from m
    cross join lateral (select name, hidden, read_receipts, incognito, hide_presence from profiles where user_id = m.peer_id offset 0) p
    cross join lateral (select read_receipts, hide_presence from profiles where user_id = m.user_id offset 0) me
    left join matches s on s.user_lo = m.user_lo and s.user_hi = m.user_hi
    left join blocks mine on mine.blocker_id = m.user_id and mine.blocked_id = m.peer_id
    left join blocks theirs on theirs.blocker_id = m.peer_id and theirs.blocked_id = m.user_id
    where ${seen}`
}

/** The conversations that each viewer sees, newest last message first; with `peerId`, that one alone. */
export async function findConversations(
  db: Db,
  asked: readonly Asked[],
  limit: number,
  peerId?: string,
): Promise<ConversationRow[]> {
  const ofPeer = peerId === undefined ? sql`true` : sql`m.peer_id = ${peerId}`
  // Limited before the rest is joined: of a long list, only its beginning is looked at.
  const picked = sql`m.listed and ${ofPeer} order by coalesce(c.last_message_at, c.created_at) desc, c.id desc limit ${limit}`
  const { rows } = await sql<ConversationRow>`${rowsOf(asked, picked, isReachable)} ${newestFirst}`.execute(db)
  return rows
}

/** Those that changed since the snapshot of a cursor, seen by the viewer or not any more. */
export async function findChanged(db: Db, asked: readonly Asked[]): Promise<ConversationRow[]> {
  // Of what is held back, nobody hears but those who knew of it before; and of what the other one opened and never wrote
  // in, nobody at all.
  const changed = sql`c.changed >= asked.since
    and (m.listed or m.archived or c.last_seq > 0 or exists (select from matches s where s.id = c.id))
    and (c.held_from is null or c.held_from = asked.viewer_id or m.listed or c.held_seq > 0)`
  const { rows } = await sql<ConversationRow>`${rowsOf(asked, changed, sql`true`)} ${newestFirst}`.execute(db)
  return rows
}

/** The viewer's conversation with somebody they may write to, listed or not; undefined when there is none. */
export async function findConversation(db: Db, viewerId: string, peerId: string): Promise<ConversationRow | undefined> {
  const picked = sql`m.conversation_id = conversation_id(${viewerId}, ${peerId})`
  return (await rowsOf([{ viewerId }], picked, isReachable).execute(db)).rows[0]
}

/** Where the changes begin that a later question must hear of: everything older was there to see in this one. */
export async function findCursor(db: Db): Promise<string> {
  const { rows } = await sql<{
    cursor: string
  }>`select pg_snapshot_xmin(pg_current_snapshot())::text as cursor`.execute(db)
  return rows[0]?.cursor ?? '0'
}

interface Read {
  seq: number
  unread: number
  /** The newest message when `unread` was counted. */
  lastSeq: number
  moved: boolean
  /** Both tell how far they have read. */
  told: boolean
}

/** Moves the reader's mark; undefined when there is no such conversation, or something stands between the two. */
export async function readUpToSeq(db: Db, readerId: string, peerId: string, seq: number): Promise<Read | undefined> {
  // Held, the row is the newest there is, whatever the statement began with: nothing is added between it and the count.
  const { rows } = await sql<Read>`
    with held as materialized (
      select last_seq, held_from from conversations where id = conversation_id(${readerId}, ${peerId})
        and (held_from is null or held_from = ${readerId}) for update
    )
    select o_seq as seq, o_unread as unread, last_seq as "lastSeq", o_moved as moved,
      held_from is null and (select bool_and(read_receipts) from profiles where user_id in (${readerId}, ${peerId})) as told
    from held
    cross join (select refusal_to_write(${readerId}, ${peerId}, false) as refusal) r
    cross join lateral read_up_to(
      case when refusal is null and last_seq is not null then ${readerId}::uuid end, ${peerId}, ${seq}::bigint)
    where o_seq is not null`.execute(db)
  return rows[0]
}

const deliver = {
  name: 'delivered-up-to',
  text: `select refusal_to_write($1, $2, false) is not null as refused,
    case when refusal_to_write($1, $2, false) is null then delivered_up_to($1, $2, $3) end as seq`,
}

/** Moves the mark of what a receiver's devices have: to where, or undefined when it stands there already or further. */
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
  /** What the message says by now. */
  body: string
  attachment: 'photo' | 'voice' | null
  /** Of the receiver. */
  hidden_words: string[]
}

/** Who of the absent is told of a message: the conversation is not muted, and it is not read yet. With the sender's name. */
export async function findListeners(
  db: Db,
  told: readonly { senderId: string; receiverId: string; seq: number }[],
): Promise<Listener[]> {
  const { rows } = await sql<Listener>`
    select (given.place - 1)::integer as place, p.name, x.body, a.kind as attachment, own.hidden_words
    from unnest(${told.map((one) => one.receiverId)}::uuid[], ${told.map((one) => one.senderId)}::uuid[],
      ${told.map((one) => one.seq)}::bigint[]) with ordinality as given (receiver, sender, seq, place)
    join conversation_members m on m.user_id = given.receiver and m.conversation_id = conversation_id(given.receiver, given.sender)
    join conversations c on c.id = m.conversation_id
    join profiles p on p.user_id = given.sender
    join profiles own on own.user_id = given.receiver
    join messages x on x.conversation_id = c.id and x.seq = given.seq
    left join attachments a on a.id = x.attachment_id
    where not m.muted and x.deleted_at is null and ${side('c.read_lo', 'c.read_hi')} < given.seq`.execute(db)
  return rows
}
