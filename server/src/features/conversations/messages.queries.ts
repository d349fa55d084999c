import { unitsFor } from '@duet/contract/cut-text.ts'
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'
import type { ConversationRefusal } from './refusals.ts'

export interface MessageRow {
  conversation_id: string
  seq: number
  revision: number
  sender_id: string
  client_id: string
  body: string
  sent_at: Date
  created_at: Date
  edited_at: Date | null
  deleted_at: Date | null
  attachment_id: string | null
  /** The reactions of the person with the lower id (`lo`) and of the other person (`hi`). */
  reaction_lo: string | null
  reaction_hi: string | null
  /** The quoted message as it is now. */
  quote_seq: number | null
  quote_sender_id: string
  /** The beginning of the text, long enough for the quote. */
  quote_body: string
  quote_kind: 'text' | 'photo' | 'voice' | 'deleted'
}

export const quoteLength = 140

/** Selects all columns that a message view needs, plus the columns `more`, for the messages in `source`. Unordered. */
export function wholeRows(source: RawBuilder<unknown>, more = sql``): RawBuilder<MessageRow> {
  return sql<MessageRow>`
    select m.conversation_id, m.seq, m.revision, m.sender_id, m.client_id, m.body, m.sent_at, m.created_at, m.edited_at,
      m.deleted_at, m.attachment_id, m.reaction_lo, m.reaction_hi, q.seq as quote_seq, q.sender_id as quote_sender_id,
      left(q.body, ${sql.lit(unitsFor(quoteLength))}) as quote_body,
      case when q.deleted_at is not null then 'deleted' else coalesce(a.kind, 'text') end as quote_kind${more}
    from (${source}) m
    left join messages q on q.conversation_id = m.conversation_id and q.seq = m.reply_to
    left join attachments a on a.id = q.attachment_id and a.conversation_id = q.conversation_id`
}

export interface NewMessage {
  senderId: string
  receiverId: string
  id: string
  body: string
  /** ISO 8601. */
  sentAt: string
  replyTo?: number | undefined
  attachmentId?: string | undefined
}

export interface Appended {
  refusal: ConversationRefusal | null
  seq: number
  revision: number
  duplicate: boolean
  appeared: boolean
  /**
   * `held`: the receiver gets no event. `released`: this message released everything that was held between the two
   * people.
   */
  holding: 'held' | 'released' | null
}

const append = {
  name: 'append-messages',
  text: 'select refusal, seq, revision, duplicate, appeared, holding from append_messages($1, $2, $3, $4, $5, $6, $7, $8, $9) order by place',
}

const appendPlain = {
  name: 'append-plain-messages',
  text: 'select o_seqs, o_revisions from append_plain_messages($1, $2, $3, $4, $5, $6, $7)',
}

interface Rules {
  needsMatch: boolean
  now: Date
}

/** Whether the batch has only plain texts and no repeated ids. The database checks everything else. */
function arePlain(messages: readonly NewMessage[]): boolean {
  const ids = new Set<string>()
  for (const { id, replyTo, attachmentId } of messages) {
    if (replyTo !== undefined || attachmentId !== undefined) return false
    ids.add(id)
  }
  return ids.size === messages.length
}

/**
 * Appends plain texts to answered conversations. If any of them needs the general function, returns undefined and
 * changes nothing.
 */
async function appendPlainMessages(
  client: Pick<pg.Pool, 'query'>,
  messages: readonly NewMessage[],
  { needsMatch, now }: Rules,
): Promise<Appended[] | undefined> {
  const values = [
    messages.map((message) => message.senderId),
    messages.map((message) => message.receiverId),
    messages.map((message) => message.id),
    messages.map((message) => message.body),
    messages.map((message) => message.sentAt),
    needsMatch,
    now.toISOString(),
  ]
  const { rows } = await client.query<{ o_seqs: string | null; o_revisions: string }>({ ...appendPlain, values })
  const [row] = rows
  if (!row?.o_seqs) return undefined
  const revisions = row.o_revisions.split(',')
  return row.o_seqs.split(',').map((seq, place) => {
    const number = Number(seq)
    const revision = Number(revisions[place])
    return { refusal: null, seq: number, revision, duplicate: false, appeared: false, holding: null }
  })
}

/**
 * Appends messages in one statement, which is its own transaction if `client` is a pool. The results have the same
 * order.
 */
export async function appendMessages(
  client: Pick<pg.Pool, 'query'>,
  messages: readonly NewMessage[],
  rules: Rules,
): Promise<Appended[]> {
  const plain = arePlain(messages) ? await appendPlainMessages(client, messages, rules) : undefined
  return plain ?? (await appendAny(client, messages, rules))
}

async function appendAny(
  client: Pick<pg.Pool, 'query'>,
  messages: readonly NewMessage[],
  { needsMatch, now }: Rules,
): Promise<Appended[]> {
  const values = [
    messages.map((message) => message.senderId),
    messages.map((message) => message.receiverId),
    messages.map((message) => message.id),
    messages.map((message) => message.body),
    messages.map((message) => message.sentAt),
    messages.map((message) => message.replyTo ?? null),
    messages.map((message) => message.attachmentId ?? null),
    needsMatch,
    now.toISOString(),
  ]
  const { rows } = await client.query<Appended>({ ...append, values })
  return rows
}

const locked = {
  name: 'find-locked',
  text: `with free as materialized (
      select c.id from conversations c join unnest((select $1::uuid[]), (select $2::uuid[])) as given (sender, receiver)
        on c.id = conversation_id(sender, receiver)
      for update of c skip locked)
    select (place - 1)::integer as place from unnest((select $1::uuid[]), (select $2::uuid[])) with ordinality as given (sender, receiver, place)
    join conversations c on c.id = conversation_id(sender, receiver)
    where not exists (select from free where free.id = c.id)`,
}

export async function findLocked(
  client: Pick<pg.Pool, 'query'>,
  messages: readonly Pick<NewMessage, 'senderId' | 'receiverId'>[],
): Promise<number[]> {
  const values = [messages.map((message) => message.senderId), messages.map((message) => message.receiverId)]
  const { rows } = await client.query<{ place: number }>({ ...locked, values })
  return rows.map(({ place }) => place)
}

/** Appends one message within a transaction. The caller has checked that the two people may write to each other. */
export async function appendMessage(db: Db, message: NewMessage, now: Date): Promise<void> {
  const { senderId, receiverId, id, body, sentAt } = message
  await sql`select append_messages(array[${senderId}]::uuid[], array[${receiverId}]::uuid[], array[${id}], array[${body}],
    array[${sentAt}]::timestamptz[], array[null]::bigint[], array[null]::uuid[], null, ${now}::timestamptz)`.execute(db)
}

/** Messages by conversation and seq, in the given order. Skips missing ones. */
export async function findMessagesAt(db: Db, ids: readonly string[], seqs: readonly number[]): Promise<MessageRow[]> {
  if (ids.length === 0) return []
  const source = sql`select m.*, at.place from unnest((select ${ids}::uuid[]), (select ${seqs}::bigint[])) with ordinality as at (id, seq, place)
    join messages m on m.conversation_id = at.id and m.seq = at.seq`
  const { rows } = await sql<MessageRow>`${named('messages-at')} ${wholeRows(source)} order by m.place`.execute(db)
  return rows
}

/** The newest messages of each conversation up to a seq, oldest first. */
export async function findNewestOfEach(
  db: Db,
  asked: readonly { id: string; lastSeq: number; limit: number }[],
): Promise<MessageRow[][]> {
  if (asked.length === 0) return []
  const ids = asked.map(({ id }) => id)
  const seqs = asked.map(({ lastSeq }) => lastSeq)
  const limits = asked.map(({ limit }) => limit)
  const source = sql`select m.*, (given.place - 1)::integer as place
    from unnest((select ${ids}::uuid[]), (select ${seqs}::bigint[]), (select ${limits}::integer[]))
      with ordinality as given (id, last_seq, most, place)
    cross join lateral (select * from messages
      where conversation_id = given.id and seq <= given.last_seq order by seq desc limit given.most) m`
  const whole = wholeRows(source, sql`, m.place`)
  const { rows } = await sql<MessageRow & { place: number }>`
    ${named('newest-messages')} ${whole} order by m.place, m.seq`.execute(db)
  const found: MessageRow[][] = asked.map(() => [])
  for (const row of rows) found[row.place]?.push(row)
  return found
}

/** Up to `limit` messages before or after a seq, oldest first; the newest messages if neither is set. */
export async function findMessages(
  db: Db,
  pairId: string,
  { before, after, limit }: { before?: number | undefined; after?: number | undefined; limit: number },
): Promise<MessageRow[]> {
  const forward = after !== undefined && before === undefined
  const source = sql`select * from messages where conversation_id = ${pairId}
    and seq < ${before ?? Number.MAX_SAFE_INTEGER}::bigint and seq > ${after ?? 0}::bigint
    order by seq ${forward ? sql`asc` : sql`desc`} limit ${limit}`
  const { rows } = await sql<MessageRow>`${wholeRows(source)} order by m.seq`.execute(db)
  return rows
}

/**
 * Up to `limit` messages after a seq or changed after a revision, ordered by revision. Unchanged messages have the same
 * order by revision as by seq, so each half of the query can use an index.
 */
export async function findMessageChanges(
  db: Db,
  pairId: string,
  { after, since, limit }: { after: number; since: number; limit: number },
): Promise<MessageRow[]> {
  const source = sql`
    (select * from messages where conversation_id = ${pairId} and not changed and seq > ${after}::bigint
      order by seq limit ${limit})
    union all
    (select * from messages where conversation_id = ${pairId} and changed
        and (revision > ${since}::bigint or seq > ${after}::bigint)
      order by revision limit ${limit})`
  const { rows } = await sql<MessageRow>`${wholeRows(source)} order by m.revision limit ${limit}`.execute(db)
  return rows
}

/** Locks a message's conversation until the transaction ends, and reads the message. */
export async function lockMessage(db: Db, pairId: string, seq: number): Promise<MessageRow | undefined> {
  await sql`select from conversations where id = ${pairId} for update`.execute(db)
  return (await findMessagesAt(db, [pairId], [seq]))[0]
}

interface Change {
  body?: string
  editedAt?: Date
  /** A date deletes the message's content; null undeletes the message, and `body` then restores its text. */
  deletedAt?: Date | null
  reaction?: { of: 'lo' | 'hi'; emoji: string | null }
}

// Deleted messages don't count as unread. Servers of an older version don't update the counts, so a count never goes
// below 0.
function recount(seq: number, isDeleted: boolean): RawBuilder<unknown> {
  const by = sql.lit(isDeleted ? -1 : 1)
  const side = (count: string, reader: string, sender: string) => sql`${sql.ref(count)} = greatest(0, ${sql.ref(count)}
    + (select count(*) * ${by} from messages m where m.conversation_id = conversations.id and m.seq = ${seq}
      and m.sender_id = ${sql.ref(sender)} and m.seq > ${sql.ref(reader)} and (m.deleted_at is null) = ${isDeleted}))`
  return sql`, ${side('unread_lo', 'read_lo', 'user_hi')}, ${side('unread_hi', 'read_hi', 'user_lo')}`
}

/**
 * Changes a message and gives it the conversation's next revision. Messages that quote it stay unchanged, since there
 * may be many: clients update their quotes themselves. The caller must hold the conversation's lock.
 */
export async function changeMessage(
  db: Db,
  pairId: string,
  seq: number,
  { body, editedAt, deletedAt, reaction }: Change,
): Promise<void> {
  const sets = [
    ...(body === undefined ? [] : [sql`body = ${body}`]),
    ...(editedAt ? [sql`edited_at = ${editedAt}`] : []),
    ...(deletedAt
      ? [sql`deleted_at = ${deletedAt}, body = '', attachment_id = null, reaction_lo = null, reaction_hi = null`]
      : []),
    ...(deletedAt === null ? [sql`deleted_at = null`] : []),
    ...(reaction ? [sql`${sql.ref(`reaction_${reaction.of}`)} = ${reaction.emoji}`] : []),
  ]
  await sql`
    with bumped as (
      update conversations set revision = revision + 1, changed = pg_current_xact_id()${deletedAt === undefined ? sql`` : recount(seq, deletedAt !== null)}
      where id = ${pairId} returning revision)
    update messages set ${sql.join(sets)}, changed = true, revision = bumped.revision
    from bumped where conversation_id = ${pairId} and seq = ${seq}`.execute(db)
}

export async function countUnreadBefore(
  db: Db,
  viewerId: string,
  peerId: string,
  { seq, readSeq }: { seq: number; readSeq: number },
): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from messages
    where conversation_id = conversation_id(${viewerId}, ${peerId}) and seq > ${readSeq}::bigint and seq < ${seq}::bigint
      and sender_id = ${peerId} and deleted_at is null`.execute(db)
  return rows[0]?.unread ?? 0
}
