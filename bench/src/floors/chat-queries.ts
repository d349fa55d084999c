import { createServer } from 'node:http'
import pg from 'pg'
import { Server } from 'socket.io'

/*
 * The naive chat of P1 and P2, which awaits three prepared queries before it delivers and acknowledges a message: check
 * that the sender is a member, insert the message, update the conversation.
 */
const [connection = '{}'] = process.argv.slice(2)
const pool = new pg.Pool({ ...JSON.parse(connection), max: 10 })
await pool.query(`
  create table if not exists members (user_id uuid, peer_id uuid, conversation_id bigint, primary key (user_id, peer_id));
  create table if not exists conversations (id bigint primary key generated always as identity,
    last_message text, last_message_at timestamptz, messages int not null default 0);
  create table if not exists messages (id bigint primary key generated always as identity, client_id text not null,
    conversation_id bigint not null references conversations, sender_id uuid not null, body text not null,
    created_at timestamptz not null default now());
  create index if not exists messages_newest on messages (conversation_id, id)`)

interface Sent {
  id: string
  message: string
  senderId: string
  receiverId: string
}

const findMember = 'select conversation_id from members where user_id = $1 and peer_id = $2'
const insertMessage =
  'insert into messages (client_id, conversation_id, sender_id, body) values ($1, $2, $3, $4) returning id, created_at'
const moveOn = 'update conversations set last_message = $2, last_message_at = $3, messages = messages + 1 where id = $1'

const query = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })

async function conversationOf(a: string, b: string): Promise<string> {
  const known = await query('find-member', findMember, [a, b])
  if (known.rows[0]) return known.rows[0].conversation_id
  const { rows } = await pool.query('insert into conversations default values returning id')
  await pool.query('insert into members values ($1, $2, $3), ($2, $1, $3)', [a, b, rows[0].id])
  return rows[0].id
}

async function keep({ id, message, senderId, receiverId }: Sent) {
  const conversationId = await conversationOf(senderId, receiverId)
  const { rows } = await query('insert-message', insertMessage, [id, conversationId, senderId, message])
  await query('move-on', moveOn, [conversationId, message, rows[0].created_at])
  return { seq: rows[0].id, timestamp: rows[0].created_at }
}

const http = createServer()
const io = new Server(http, { serveClient: false, perMessageDeflate: false, httpCompression: false })
io.on('connection', (socket) => {
  void socket.join(socket.handshake.auth.token)
  socket.on('send_message', async (sent: Sent, ack) => {
    try {
      const message = { ...sent, ...(await keep(sent)) }
      io.to(sent.receiverId).emit('private message', message)
      ack({ ok: true, message })
    } catch (error) {
      console.error(error)
      ack({ ok: false, code: 'internal' })
    }
  })
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
http.listen(0, '127.0.0.1', () => console.log((http.address() as { port: number }).port))
