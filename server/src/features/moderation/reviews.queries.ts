import type { Standing } from '@duet/contract/sanctions.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { mayDecide } from '../claims/parties.queries.ts'

export interface ReviewRow {
  id: string
  kind: string
  user_id: string
  name: string
  note: string
  created_at: Date
  standing: Standing
  language: string
}

export async function findReviews(
  db: Db,
  viewerId: string,
  after: { at: string; id: string } | undefined,
  limit: number,
): Promise<ReviewRow[]> {
  const behind = after ? sql`and (r.created_at, r.id) > (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<ReviewRow>`
    select r.id, r.kind, r.user_id, p.name, r.note, r.created_at, a.standing, a.language
    from reviews r join profiles p on p.user_id = r.user_id join accounts a on a.id = r.user_id
    where r.state = 'open' and ${mayDecide('review', sql`r.id::text`, viewerId)} ${behind} order by r.created_at, r.id limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function lockReview(db: Db, id: string) {
  return db
    .selectFrom('reviews')
    .select(['id', 'kind', 'user_id', 'state'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function closeReview(
  db: Db,
  id: string,
  decision: { outcome: 'upheld' | 'dismissed'; by: string; now: Date },
): Promise<void> {
  await db
    .updateTable('reviews')
    .set({ state: 'closed', outcome: decision.outcome, decided_by: decision.by, decided_at: decision.now })
    .where('id', '=', id)
    .execute()
}
