import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

export interface MessageRow {
  seq: number
  sender_id: string
  client_id: string
  body: string
  sent_at: Date
}

export interface ConversationRow {
  peer_id: string
  name: string
  unread_count: number
  /** How far the other person has read. */
  peer_read_seq: number
  last_message: MessageRow | null
}

/** Whether a person is there to write to: exists, is not hidden, neither has blocked the other, and no match of theirs has ended. */
export async function isReachable(db: Db, viewerId: string, peerId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from profiles where user_id = ${peerId} and not hidden and not is_blocked(${viewerId}, ${peerId}) and not is_unmatched(${viewerId}, ${peerId})`.execute(
    db,
  )
  return rows.length > 0
}

interface Appended {
  o_seq: number
  o_sent_at: Date
  o_body: string
  o_duplicate: boolean
  o_first: boolean
}

export async function appendMessage(
  db: Db,
  message: { senderId: string; receiverId: string; id: string; body: string; sentAt: Date; now: Date },
): Promise<Appended> {
  const { rows } = await sql<Appended>`
    select * from append_message(${message.senderId}, ${message.receiverId}, ${message.id}, ${message.body},
      ${message.sentAt}::timestamptz, ${message.now}::timestamptz)`.execute(db)
  return rows[0] as Appended
}

/** Makes the conversation when it is not there and lists it for the opener; true when it was not listed before. */
export async function openAndList(db: Db, openerId: string, peerId: string, now: Date): Promise<boolean> {
  await sql`select open_conversation(${openerId}, ${peerId}, ${now}::timestamptz)`.execute(db)
  const { rows } = await sql`
    update conversation_members set listed = true
    where user_id = ${openerId} and conversation_id = conversation_id(${openerId}, ${peerId}) and not listed
    returning 1`.execute(db)
  return rows.length > 0
}

/** Whether two people like each other, as CHAT_POLICY=matches asks. */
export async function areMatched(db: Db, a: string, b: string): Promise<boolean> {
  const { rows } = await sql<{ matched: boolean }>`select is_matched(${a}, ${b}) as matched`.execute(db)
  return rows[0]?.matched ?? false
}

/** Takes a conversation off both lists. Its messages stay until the accounts go. */
export async function unlist(db: Db, a: string, b: string): Promise<void> {
  await sql`
    update conversation_members set listed = false, unread_count = 0
    where conversation_id = conversation_id(${a}, ${b}) and user_id in (${a}, ${b})`.execute(db)
}

/** The name a notification says. */
export async function findName(db: Db, userId: string): Promise<string> {
  const row = await db.selectFrom('profiles').select('name').where('user_id', '=', userId).executeTakeFirst()
  return row?.name ?? ''
}

const messageJson = sql`json_build_object('seq', m.seq, 'sender_id', m.sender_id, 'client_id', m.client_id, 'body', m.body, 'sent_at', m.sent_at)`

/** The viewer's conversations, newest last message first; with `peerId`, that one alone. Blocked people's are left out. */
export async function findConversations(
  db: Db,
  viewerId: string,
  limit: number,
  peerId?: string,
): Promise<ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    select c.peer_id, p.name, c.unread_count, coalesce(other.last_read_seq, 0) as peer_read_seq,
      (select ${messageJson} from messages m where m.conversation_id = c.conversation_id order by m.seq desc limit 1) as last_message
    from (
      select * from conversation_members
      where user_id = ${viewerId} and listed and (${peerId ?? null}::uuid is null or peer_id = ${peerId ?? null})
      order by last_message_at desc, conversation_id desc limit ${limit}) c
    join profiles p on p.user_id = c.peer_id
    left join conversation_members other on other.user_id = c.peer_id and other.conversation_id = c.conversation_id
    where not p.hidden and not is_blocked(${viewerId}, c.peer_id) and not is_unmatched(${viewerId}, c.peer_id)
    order by c.last_message_at desc, c.conversation_id desc`.execute(db)
  return rows.map((row) => ({ ...row, last_message: row.last_message && revive(row.last_message) }))
}

/** Times come as text inside JSON. */
function revive(message: MessageRow): MessageRow {
  return { ...message, sent_at: new Date(message.sent_at) }
}

/** The newest `limit` messages of each of the viewer's conversations with `peerIds`, oldest first. */
export async function findNewestOfEach(
  db: Db,
  viewerId: string,
  peerIds: string[],
  limit: number,
): Promise<Map<string, MessageRow[]>> {
  const { rows } = await sql<MessageRow & { peer_id: string }>`
    select peer.id as peer_id, m.*
    from unnest(${peerIds}::uuid[]) as peer (id)
    cross join lateral (
      select seq, sender_id, client_id, body, sent_at from messages
      where conversation_id = conversation_id(${viewerId}, peer.id) order by seq desc limit ${limit}) m
    order by peer.id, m.seq`.execute(db)
  const byPeer = new Map<string, MessageRow[]>()
  for (const { peer_id, ...message } of rows) byPeer.set(peer_id, [...(byPeer.get(peer_id) ?? []), message])
  return byPeer
}

/** At most `limit` messages before or after a seq, oldest first. Without either, the newest. */
export async function findMessages(
  db: Db,
  viewerId: string,
  peerId: string,
  { before, after, limit }: { before?: number | undefined; after?: number | undefined; limit: number },
): Promise<MessageRow[]> {
  const forward = after !== undefined && before === undefined
  const { rows } = await sql<MessageRow>`
    select seq, sender_id, client_id, body, sent_at from messages
    where conversation_id = conversation_id(${viewerId}, ${peerId})
      and seq < ${before ?? Number.MAX_SAFE_INTEGER}::bigint and seq > ${after ?? 0}::bigint
    order by seq ${forward ? sql`asc` : sql`desc`} limit ${limit}`.execute(db)
  return forward ? rows : rows.reverse()
}

/** How far the other person has read; undefined when the viewer has no conversation with them. */
export async function findPeerReadSeq(db: Db, viewerId: string, peerId: string): Promise<number | undefined> {
  const { rows } = await sql<{ last_read_seq: number }>`
    select last_read_seq from conversation_members
    where user_id = ${peerId} and conversation_id = conversation_id(${viewerId}, ${peerId})`.execute(db)
  return rows[0]?.last_read_seq
}

/** Moves the reader's mark; undefined when there is no conversation. */
export async function readUpToSeq(
  db: Db,
  readerId: string,
  peerId: string,
  seq: number,
): Promise<{ seq: number; moved: boolean } | undefined> {
  const { rows } = await sql<{ o_seq: number | null; o_moved: boolean }>`
    select o_seq, o_moved from read_up_to(${readerId}, ${peerId}, ${seq}::bigint)`.execute(db)
  const [row] = rows
  return row && row.o_seq !== null ? { seq: row.o_seq, moved: row.o_moved } : undefined
}

/** The people on the other side of somebody's listed conversations, without the blocked and hidden. */
export async function findPeers(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ peer_id: string }>`
    select c.peer_id from conversation_members c join profiles p on p.user_id = c.peer_id
    where c.user_id = ${userId} and c.listed and not p.hidden and not is_blocked(${userId}, c.peer_id)
      and not is_unmatched(${userId}, c.peer_id)`.execute(db)
  return rows.map((row) => row.peer_id)
}
