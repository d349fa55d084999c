import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** Holds all messages from a person to people who never wrote back. Returns these people. */
export async function holdUnanswered(db: Db, senderId: string): Promise<string[]> {
  const { rows } = await sql<{ peer_id: string }>`select peer_id from hold_unanswered(${senderId})`.execute(db)
  return rows.map(({ peer_id }) => peer_id).sort()
}

/** Releases all messages held from a sender. Returns their receivers. */
export async function releaseHeld(db: Db, senderId: string): Promise<string[]> {
  const { rows } = await sql<{ peer_id: string }>`select peer_id from release_held(${senderId})`.execute(db)
  return rows.map(({ peer_id }) => peer_id).sort()
}
