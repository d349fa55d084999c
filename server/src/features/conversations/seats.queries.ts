import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'
import { findConversation } from './conversations.queries.ts'
import { type Seat, seatOf } from './views.ts'

export interface Seated extends Seat {
  conversationId: string
}

/**
 * The viewer's side of a conversation; undefined if there is none or it isn't visible. Needs only the conversation's
 * row if it caches that both people may write.
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

export async function lockConversation(db: Db, one: string, other: string): Promise<void> {
  await sql`select from conversations where id = conversation_id(${one}, ${other}) for update`.execute(db)
}
