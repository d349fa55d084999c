import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

interface Unfolded {
  userId: string
  name: string
  /** Earlier names. The signal is of the name at sign-up. */
  formerNames: string[]
  birthDate: string
}

export async function findUnfolded(db: Db, most: number): Promise<Unfolded[]> {
  const { rows } = await sql<Unfolded>`select user_id as "userId", name, birth_date::text as "birthDate",
      array(select f.name from former_names f where f.user_id = p.user_id) as "formerNames"
    from profiles p where folded_name is null order by user_id limit ${most}`.execute(db)
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

/** Replaces only signals that still have the earlier folding. Returns the accounts whose new signal others have as well. */
export async function replaceSignals(
  db: Db,
  signals: readonly { userId: string; before: Buffer; now: Buffer }[],
): Promise<string[]> {
  await sql`update account_signals s set value = n.now
    from unnest(${signals.map(({ userId }) => userId)}::uuid[], ${signals.map(({ before }) => before)}::bytea[],
      ${signals.map(({ now }) => now)}::bytea[]) n (user_id, before, now)
    where s.user_id = n.user_id and s.kind = 'person' and s.value = n.before`.execute(db)
  const { rows } = await sql<{ user_id: string }>`select distinct s.user_id from account_signals s
    where s.user_id = any(${signals.map(({ userId }) => userId)}::uuid[]) and s.kind = 'person' and exists (
      select from account_signals o where o.kind = 'person' and o.value = s.value and o.user_id <> s.user_id)`.execute(
    db,
  )
  return rows.map(({ user_id: userId }) => userId)
}
