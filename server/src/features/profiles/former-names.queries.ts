import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/**
 * Stores the old name at a rename, so that past contacts who no longer see the person still see the name they knew.
 * After fifty names in a day, the day's first name replaces the others, so that no past contact sees a later one.
 */
export async function rememberName(db: Db, userId: string, newName: string, now: Date): Promise<void> {
  await sql`
    with renamed as (select user_id, name from profiles where user_id = ${userId} and name <> ${newName}),
    day as (select name, until, count(*) over () as names from former_names
      where user_id = ${userId} and until > ${now}::timestamptz - interval '1 day' order by until),
    stretched as (
      update former_names f set until = greatest(f.until, ${now}::timestamptz), name = (select name from day limit 1)
      from renamed where f.user_id = renamed.user_id and f.until = (select max(until) from day where names >= 50))
    insert into former_names (user_id, name, until)
    select user_id, name, ${now}::timestamptz from renamed where not exists (select from day where names >= 50)
    on conflict do nothing`.execute(db)
}
