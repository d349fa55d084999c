import type { Duet } from '../tools/server.ts'
import { inDatabase } from './in-database.ts'
import { type Someone, say } from './people.ts'

/**
 * Fills a conversation up to 10,000 messages of varying length. Message 1,234 contains a word that no other message
 * has.
 */
export async function talkForYears(duet: Duet, ana: Someone, ben: Someone): Promise<void> {
  await say(duet, ana, ben, 'The first of all')
  await say(duet, ben, ana, 'The second')
  await inDatabase(
    duet,
    `with talk as (select conversation_id($1::uuid, $2::uuid) id), said as (
       insert into messages (conversation_id, seq, sender_id, client_id, body, sent_at, created_at, revision)
       select talk.id, n, case when n / 3 % 2 = 0 then $1::uuid else $2::uuid end, 'm' || n,
         'Message ' || n || case when n = 1234 then ' needle' else repeat(' and so on', n * 7919 % 23) end,
         said_at, said_at, n
       from talk, generate_series(3, 10000) n, lateral (select now() - (10000 - n) * interval '7 minutes' as said_at) timed
     )
     update conversations set last_seq = 10000, revision = 10000, last_message_at = now(), unread_lo = 0, unread_hi = 0,
       read_lo = 10000, read_hi = 10000, delivered_lo = 10000, delivered_hi = 10000
     from talk where conversations.id = talk.id`,
    [ana.id, ben.id],
  )
}
