import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'
import { findConversation } from './conversations.queries.ts'
import { type Seat, seatOf } from './views.ts'

export interface Seated extends Seat {
  conversationId: string
}

/**
 * The viewer's seat in their conversation with a person; undefined when there is none, or when it is not visible. Where it
 * is noted that nothing stands between the two, its row alone knows.
 */
export async function findSeat(db: Db, viewerId: string, peerId: string): Promise<Seated | undefined> {
  const { rows } = await sql<Pick<Seated, 'conversationId' | 'readSeq' | 'deliveredSeq'>>`${named('clear-seat')}
    select id as "conversationId",
      case when not clear_receipts then 0 when user_lo = ${viewerId} then read_hi else read_lo end as "readSeq",
      case when user_lo = ${viewerId} then delivered_hi else delivered_lo end as "deliveredSeq"
    from conversations where id = conversation_id(${viewerId}, ${peerId}) and clear`.execute(db)
  const [clear] = rows
  if (clear) return { ...clear, viewerId, peerId }
  const row = await findConversation(db, viewerId, peerId)
  return row && { conversationId: row.id, ...seatOf(row, viewerId) }
}

/** Locks the conversation of two people until the transaction ends; nothing when there is none. */
export async function lockConversation(db: Db, one: string, other: string): Promise<void> {
  await sql`select from conversations where id = conversation_id(${one}, ${other}) for update`.execute(db)
}
