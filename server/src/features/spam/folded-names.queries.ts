import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

interface Unfolded {
  userId: string
  name: string
  birthDate: string
}

export async function findUnfolded(db: Db, most: number): Promise<Unfolded[]> {
  const { rows } = await sql<Unfolded>`select user_id as "userId", name, birth_date::text as "birthDate"
    from profiles where folded_name is null order by user_id limit ${most}`.execute(db)
  return rows
}

/** Skips names that have changed in the meantime. */
export async function putFoldedNames(
  db: Db,
  names: readonly { userId: string; name: string; folded: string }[],
): Promise<void> {
  await sql`update profiles p set folded_name = n.folded
    from unnest(${names.map(({ userId }) => userId)}::uuid[], ${names.map(({ name }) => name)}::text[],
      ${names.map(({ folded }) => folded)}::text[]) n (user_id, name, folded)
    where p.user_id = n.user_id and p.name = n.name`.execute(db)
}

/** Replaces only signals that still have the earlier folding. */
export async function replaceSignals(
  db: Db,
  signals: readonly { userId: string; before: Buffer; now: Buffer }[],
): Promise<void> {
  await sql`update account_signals s set value = n.now
    from unnest(${signals.map(({ userId }) => userId)}::uuid[], ${signals.map(({ before }) => before)}::bytea[],
      ${signals.map(({ now }) => now)}::bytea[]) n (user_id, before, now)
    where s.user_id = n.user_id and s.kind = 'person' and s.value = n.before`.execute(db)
}
