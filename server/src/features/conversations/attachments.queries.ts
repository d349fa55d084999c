import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { ConversationRefusal } from './refusals.ts'

export interface AttachmentRow {
  id: string
  owner_id: string
  kind: 'photo' | 'voice'
  file_name: string
  width: number | null
  height: number | null
  blurhash: string | null
  duration_ms: number | null
  waveform: number[] | null
}

export async function findRefusalToWrite(
  db: Db,
  senderId: string,
  receiverId: string,
  needsMatch: boolean,
): Promise<ConversationRefusal | null> {
  const { rows } = await sql<{ refusal: ConversationRefusal | null }>`
    select refusal_to_write(${senderId}, ${receiverId}, ${needsMatch}) as refusal`.execute(db)
  return rows[0]?.refusal ?? null
}

/** Stores an upload for the conversation of two people, creating the conversation if needed. */
export async function insertAttachment(db: Db, receiverId: string, row: AttachmentRow, now: Date): Promise<void> {
  await sql`
    insert into attachments (id, owner_id, conversation_id, kind, file_name, width, height, blurhash, duration_ms, waveform, created_at)
    values (${row.id}, ${row.owner_id}, open_conversation(${row.owner_id}, ${receiverId}, ${now}::timestamptz), ${row.kind},
      ${row.file_name}, ${row.width}, ${row.height}, ${row.blurhash}, ${row.duration_ms}, ${row.waveform}::smallint[], ${now}::timestamptz)`.execute(
    db,
  )
}

/** Also returns whether the two people of the conversation are matched. */
export async function findAttachments(
  db: Db,
  ids: readonly string[],
): Promise<(AttachmentRow & { matched: boolean })[]> {
  const { rows } = await sql<AttachmentRow & { matched: boolean }>`
    select a.id, a.owner_id, a.kind, a.file_name, a.width, a.height, a.blurhash, a.duration_ms, a.waveform,
      is_matched(c.user_lo, c.user_hi) as matched
    from attachments a join conversations c on c.id = a.conversation_id
    where a.id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/**
 * Whether a person may see a file now. Both people may, until their conversation ends, if a message that isn't deleted
 * has the file as its attachment. The uploader may also see it before it is sent.
 */
export async function isAttachmentVisible(db: Db, viewerId: string, fileName: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from attachments a
    join conversations c on c.id = a.conversation_id
    join accounts viewer on viewer.id = ${viewerId} and viewer.standing in ('good', 'restricted')
    left join messages m on m.attachment_id = a.id
    where a.file_name = ${fileName} and is_signed_in(viewer.id, ${now}) and (c.held_from is null or c.held_from = ${viewerId})
      and case ${viewerId}::uuid
        when c.user_lo then refusal_to_read(c.user_lo, c.user_hi, false) is null
        when c.user_hi then refusal_to_read(c.user_hi, c.user_lo, false) is null
        else false end
      and case when m.seq is null then a.owner_id = ${viewerId} else m.deleted_at is null end`.execute(db)
  return rows.length > 0
}

interface Doomed {
  kind: AttachmentRow['kind']
  file_name: string
}

/** Deletes attachments that no message refers to. Returns those whose files aren't needed for a report. */
export async function removeUncarried(db: Db, ids: readonly string[]): Promise<Doomed[]> {
  const { rows } = await sql<Doomed & { kept: boolean }>`
    delete from attachments a
    where a.id = any(${ids}::uuid[]) and not exists (select from messages m where m.attachment_id = a.id)
    returning kind, file_name, exists (select from message_versions v where v.file_name = a.file_name) as kept`.execute(
    db,
  )
  return rows.filter(({ kept }) => !kept)
}

/** Attachments uploaded before `before` that no message refers to, oldest first. */
export async function findUnsentAttachments(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from attachments a
    where a.created_at < ${before}::timestamptz and not exists (select from messages m where m.attachment_id = a.id)
    order by a.created_at`.execute(db)
  return rows.map(({ id }) => id)
}
