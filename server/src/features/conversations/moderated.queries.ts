import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

/** The id of the conversation of two people, there or not. */
export async function conversationIdOf(db: Db, one: string, other: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select conversation_id(${one}, ${other}) as id`.execute(db)
  return rows[0]?.id ?? ''
}

/** The two people of a conversation; undefined when it is gone. */
export async function findPair(db: Db, conversationId: string): Promise<[string, string] | undefined> {
  const row = await db
    .selectFrom('conversations')
    .select(['user_lo', 'user_hi'])
    .where('id', '=', conversationId)
    .executeTakeFirst()
  return row && [row.user_lo, row.user_hi]
}

/** Gives a message that was taken back its text again. */
export async function restoreBody(db: Db, conversationId: string, seq: number, body: string): Promise<void> {
  await db
    .updateTable('messages')
    .set({ deleted_at: null, body })
    .where('conversation_id', '=', conversationId)
    .where('seq', '=', seq)
    .execute()
}
