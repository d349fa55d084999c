import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { mayDecide } from '../claims/parties.queries.ts'

/** Returns false if the sanction already has an appeal. */
export async function insertAppeal(
  db: Db,
  appeal: { sanctionId: string; userId: string; text: string; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('appeals')
    .values({ sanction_id: appeal.sanctionId, user_id: appeal.userId, text: appeal.text, created_at: appeal.now })
    .onConflict((conflict) => conflict.column('sanction_id').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export interface AppealRow {
  id: string
  sanction_id: string
  user_id: string
  name: string
  text: string
  created_at: Date
}

const may = (viewerId: string) => mayDecide('appeal', sql`a.id::text`, viewerId)

export async function findAppeals(
  db: Db,
  viewerId: string,
  after: { at: string; id: string } | undefined,
  limit: number,
): Promise<AppealRow[]> {
  const behind = after ? sql`and (a.created_at, a.id) > (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<AppealRow>`
    select a.id, a.sanction_id, a.user_id, p.name, a.text, a.created_at
    from appeals a join profiles p on p.user_id = a.user_id
    where a.state = 'open' and ${may(viewerId)} ${behind} order by a.created_at, a.id limit ${limit}`.execute(db)
  return rows
}

/**
 * The number of open appeals that only other administrators may decide, and the date of the oldest. Excludes appeals
 * that must be hidden from the viewer.
 */
export async function countForOthers(db: Db, viewerId: string): Promise<{ count: number; oldest: Date | null }> {
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    select count(*)::int as count, min(a.created_at) as oldest from appeals a
    where a.state = 'open' and not ${may(viewerId)} and not is_hidden_appeal(a.id, ${viewerId}::uuid)`.execute(db)
  return rows[0] ?? { count: 0, oldest: null }
}

export async function lockAppeal(db: Db, id: string) {
  return db
    .selectFrom('appeals')
    .select(['id', 'sanction_id', 'user_id', 'state'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function lockOpenAppeal(db: Db, sanctionId: string) {
  return db
    .selectFrom('appeals')
    .select(['id', 'sanction_id', 'user_id'])
    .where('sanction_id', '=', sanctionId)
    .where('state', '=', 'open')
    .forUpdate()
    .executeTakeFirst()
}

export async function closeAppeal(
  db: Db,
  id: string,
  decision: { state: 'upheld' | 'reversed'; answer: string; by: string; now: Date },
): Promise<void> {
  const { state, answer, by, now } = decision
  await db.updateTable('appeals').set({ state, answer, decided_by: by, decided_at: now }).where('id', '=', id).execute()
}
