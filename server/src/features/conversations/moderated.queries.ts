import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export async function pairIdOf(db: Db, one: string, other: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select conversation_id(${one}, ${other}) as id`.execute(db)
  return rows[0]?.id ?? ''
}

export async function findPeopleOf(db: Db, pairId: string): Promise<[string, string] | undefined> {
  const row = await db
    .selectFrom('conversations')
    .select(['user_lo', 'user_hi'])
    .where('id', '=', pairId)
    .executeTakeFirst()
  return row && [row.user_lo, row.user_hi]
}
