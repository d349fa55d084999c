import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

/** What was learned of somebody so far, and whether learning from them is wanted. */
export interface Standing {
  user_id: string
  says_yes: number
  is_liked: number
  made_weight: number
  received_weight: number
  made: number
  received: number
}

/** Those of `ids` who may be learned from, with a row for each; the rows are locked in the order of their ids. */
export async function lockStandings(db: Db, ids: readonly string[]): Promise<Standing[]> {
  await sql`
    insert into standings (user_id)
    select user_id from profiles where user_id = any(${ids}::uuid[]) and learn_from_me order by user_id
    on conflict do nothing`.execute(db)
  const { rows } = await sql<Standing>`
    select s.user_id, s.says_yes, s.is_liked, s.made_weight, s.received_weight, s.made, s.received
    from standings s join profiles p on p.user_id = s.user_id and p.learn_from_me
    where s.user_id = any(${ids}::uuid[]) order by s.user_id for update of s`.execute(db)
  return rows
}

/** Writes what was learned, everybody in one statement. */
export async function putStandings(db: Db, rows: readonly Standing[]): Promise<void> {
  const column = <Name extends keyof Standing>(name: Name) => rows.map((row) => row[name])
  await sql`
    update standings s set says_yes = n.says_yes, is_liked = n.is_liked, made_weight = n.made_weight,
      received_weight = n.received_weight, made = n.made, received = n.received
    from unnest(${column('user_id')}::uuid[], ${column('says_yes')}::real[], ${column('is_liked')}::real[],
      ${column('made_weight')}::real[], ${column('received_weight')}::real[], ${column('made')}::int[],
      ${column('received')}::int[]) as n (user_id, says_yes, is_liked, made_weight, received_weight, made, received)
    where s.user_id = n.user_id`.execute(db)
}

/** Sets everything learned of somebody back, and takes the record of what they were shown and who was shown them. */
export async function clearLearned(db: Db, userId: string): Promise<void> {
  await sql`
    update standings set says_yes = 0, is_liked = 0, made_weight = 0, received_weight = 0, made = 0, received = 0
    where user_id = ${userId}`.execute(db)
  await sql`delete from impressions where viewer_id = ${userId} or target_id = ${userId}`.execute(db)
}
