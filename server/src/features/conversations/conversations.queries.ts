import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database.ts'

/** A conversation as one of its two people sees it. */
export interface ConversationRow {
  id: string
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
  /** Listed, and nothing stands between the two. */
  visible: boolean
}

/** Whether a person is there to write to: exists, is not hidden, neither has blocked the other, and no match of theirs has ended. */
export async function isReachable(db: Db, viewerId: string, peerId: string): Promise<boolean> {
  const { rows } = await sql`select where refusal_to_write(${viewerId}, ${peerId}, false) is null`.execute(db)
  return rows.length > 0
}

/** Why the viewer may not write to somebody; null when nothing speaks against it. */
export async function findRefusal(
  db: Db,
  viewerId: string,
  peerId: string,
  needsMatch: boolean,
): Promise<'not_found' | 'forbidden' | null> {
  const { rows } = await sql<{ refusal: 'not_found' | 'forbidden' | null }>`
    select refusal_to_write(${viewerId}, ${peerId}, ${needsMatch}) as refusal`.execute(db)
  return rows[0]?.refusal ?? null
}

/** Makes the conversation when it is not there and lists it for the opener; true when it was not listed before. */
export async function openAndList(db: Db, openerId: string, peerId: string, now: Date): Promise<boolean> {
  await sql`select open_conversation(${openerId}, ${peerId}, ${now}::timestamptz)`.execute(db)
  return setPlace(db, openerId, peerId, { listed: true })
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

/** Takes a conversation off both lists. Its messages stay until the accounts go. */
export async function unlist(db: Db, a: string, b: string): Promise<void> {
  await setPlace(db, a, b, { listed: false })
  await setPlace(db, b, a, { listed: false })
}

const isLo = sql`m.user_id < m.peer_id`
const side = (mine: string, theirs: string) => sql`case when ${isLo} then ${sql.ref(mine)} else ${sql.ref(theirs)} end`

// Written out, since functions that look into tables are not inlined, and would take most of the time of a long list.
const reachable = sql`(not p.hidden and s.ended_at is null and not exists (select from blocks b
  where (b.blocker_id = m.user_id and b.blocked_id = m.peer_id) or (b.blocker_id = m.peer_id and b.blocked_id = m.user_id)))`
const matched = sql`(s.id is not null and s.ended_at is null)`
const peers = sql`conversation_members m
    join conversations c on c.id = m.conversation_id
    join profiles p on p.user_id = m.peer_id
    left join matches s on s.user_lo = c.user_lo and s.user_hi = c.user_hi`

/** Rows of a viewer's conversations, whether they see them or not. */
function rowsOf(viewerId: string, filter: RawBuilder<unknown>): RawBuilder<ConversationRow> {
  return sql<ConversationRow>`
    select c.id, m.peer_id, p.name, c.last_seq, c.revision, m.muted, m.archived, ${matched} as matched,
      ${side('c.unread_lo', 'c.unread_hi')} as unread_count, ${side('c.read_lo', 'c.read_hi')} as my_read_seq,
      case when p.read_receipts and me.read_receipts then ${side('c.read_hi', 'c.read_lo')} else 0 end as read_seq,
      ${side('c.delivered_hi', 'c.delivered_lo')} as delivered_seq,
      not ${matched} and not m.accepted and ${side('c.wrote_hi', 'c.wrote_lo')} and not ${side('c.wrote_lo', 'c.wrote_hi')} as is_request,
      m.listed and ${reachable} as visible
    from ${peers}
    join profiles me on me.user_id = m.user_id
    where m.user_id = ${viewerId} and ${filter}`
}

const newestFirst = sql`order by coalesce(c.last_message_at, c.created_at) desc, c.id desc`

/** The conversations that the viewer sees, newest last message first; with `peerId`, that one alone. */
export async function findConversations(
  db: Db,
  viewerId: string,
  limit: number,
  peerId?: string,
): Promise<ConversationRow[]> {
  const filter = sql`m.listed and ${reachable} and ${peerId === undefined ? sql`true` : sql`m.peer_id = ${peerId}`}`
  const { rows } = await sql<ConversationRow>`${rowsOf(viewerId, filter)} ${newestFirst} limit ${limit}`.execute(db)
  return rows
}

/** Those that changed since the snapshot of a cursor, seen by the viewer or not any more. */
export async function findChanged(db: Db, viewerId: string, since: string): Promise<ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    ${rowsOf(viewerId, sql`c.changed >= ${since}::xid8`)} ${newestFirst}`.execute(db)
  return rows
}

/** The viewer's conversation with somebody they may write to, listed or not; undefined when there is none. */
export async function findConversation(db: Db, viewerId: string, peerId: string): Promise<ConversationRow | undefined> {
  const filter = sql`m.conversation_id = conversation_id(${viewerId}, ${peerId}) and ${reachable}`
  return (await rowsOf(viewerId, filter).execute(db)).rows[0]
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
  moved: boolean
  /** Both tell how far they have read. */
  told: boolean
}

/** Moves the reader's mark; undefined when there is no such conversation, or something stands between the two. */
export async function readUpToSeq(db: Db, readerId: string, peerId: string, seq: number): Promise<Read | undefined> {
  const { rows } = await sql<Read>`
    select o_seq as seq, o_unread as unread, o_moved as moved,
      (select bool_and(read_receipts) from profiles where user_id in (${readerId}, ${peerId})) as told
    from (select refusal_to_write(${readerId}, ${peerId}, false) as refusal) r
    cross join lateral read_up_to(case when refusal is null then ${readerId}::uuid end, ${peerId}, ${seq}::bigint)
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
  attachment: 'photo' | 'voice' | null
}

/** Who of the absent is told of a message: the conversation is not muted, and it is not read yet. With the sender's name. */
export async function findListeners(
  db: Db,
  told: readonly { senderId: string; receiverId: string; seq: number }[],
): Promise<Listener[]> {
  const { rows } = await sql<Listener>`
    select (given.place - 1)::integer as place, p.name, a.kind as attachment
    from unnest(${told.map((one) => one.receiverId)}::uuid[], ${told.map((one) => one.senderId)}::uuid[],
      ${told.map((one) => one.seq)}::bigint[]) with ordinality as given (receiver, sender, seq, place)
    join conversation_members m on m.user_id = given.receiver and m.conversation_id = conversation_id(given.receiver, given.sender)
    join conversations c on c.id = m.conversation_id
    join profiles p on p.user_id = given.sender
    join messages x on x.conversation_id = c.id and x.seq = given.seq
    left join attachments a on a.id = x.attachment_id
    where not m.muted and x.deleted_at is null and ${side('c.read_lo', 'c.read_hi')} < given.seq`.execute(db)
  return rows
}

/** The people on the other side of somebody's listed conversations, without the blocked and hidden. */
export async function findPeers(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ peer_id: string }>`
    select m.peer_id from ${peers} where m.user_id = ${userId} and m.listed and ${reachable}`.execute(db)
  return rows.map((row) => row.peer_id)
}
