import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** SQL condition: the like `d` to person $1 isn't held, and $1 hasn't answered it except perhaps with "later". */
export const waits = `not d.held and not exists (select from decisions mine
  where mine.actor_id = $1 and mine.target_id = d.actor_id and mine.decision <> 'later' offset 0)`

/** The people among `ids` who like a person, and whether their like awaits an answer. */
export async function findLikersAmong(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<{ id: string; waits: boolean }[]> {
  const text = `/* likers-among */ select d.actor_id as id, ${waits} as waits from decisions d
    where d.target_id = $1 and d.decision = 'like' and d.actor_id = any($2::uuid[])`
  return (await db.executeQuery<{ id: string; waits: boolean }>(CompiledQuery.raw(text, [userId, ids]))).rows
}
