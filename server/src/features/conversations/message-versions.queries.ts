import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { MessageRow } from './messages.queries.ts'

type Replaced = Pick<MessageRow, 'conversation_id' | 'seq' | 'sender_id' | 'body'>

/** Stores a message's current text before its sender edits it. Reports can then include it. */
export async function keepEdited(
  db: Db,
  { conversation_id, seq, sender_id, body }: Replaced,
  now: Date,
): Promise<void> {
  await db
    .insertInto('message_versions')
    .values({ conversation_id, seq, sender_id, body, replaced_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Stores a message's current text and attachment before its sender deletes it. Reports can then include them. */
export async function keepTakenBack(
  db: Db,
  message: Replaced & { attachment_id: string | null },
  now: Date,
): Promise<void> {
  await sql`
    insert into message_versions (conversation_id, seq, sender_id, body, replaced_at, kind, file_name, width, height,
      blurhash, duration_ms, waveform)
    select ${message.conversation_id}, ${message.seq}, ${message.sender_id}, ${message.body}, ${now}, a.kind, a.file_name,
      a.width, a.height, a.blurhash, a.duration_ms, a.waveform
    from (values (1)) one left join attachments a on a.id = ${message.attachment_id}
    on conflict do nothing`.execute(db)
}

export async function countEdits(db: Db, { conversation_id, seq }: Replaced): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from message_versions
    where conversation_id = ${conversation_id} and seq = ${seq}`.execute(db)
  return rows[0]?.count ?? 0
}
