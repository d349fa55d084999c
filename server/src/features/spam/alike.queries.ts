import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

interface Print {
  senderId: string
  receiverId: string
  print: bigint
  now: Date
  since: Date
  within: number
}

/** Stores a text's fingerprint. Returns how many people its sender has sent similar texts to since `since`. */
export async function notePrint(db: Db, { senderId, receiverId, print, now, since, within }: Print): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    with kept as (
      insert into message_prints (sender_id, receiver_id, print, at)
      values (${senderId}, ${receiverId}, ${String(print)}::bigint, ${now})
      on conflict (sender_id, receiver_id, print) do update set at = excluded.at)
    select count(distinct receiver_id)::integer + 1 as people from message_prints
    where sender_id = ${senderId} and receiver_id <> ${receiverId} and at > ${since}
      and bit_count((print # ${String(print)}::bigint)::bit(64)) <= ${within}`.execute(db)
  return rows[0]?.people ?? 1
}

export async function forgetPrints(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('message_prints').where('at', '<', before).execute()
}
