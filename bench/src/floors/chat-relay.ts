import { createServer } from 'node:http'
import { Server } from 'socket.io'

// The floor of P1 and P3: a socket.io relay that stores nothing. A person's token is their id.
const http = createServer()
const io = new Server(http, { serveClient: false, perMessageDeflate: false, httpCompression: false })

io.on('connection', (socket) => {
  void socket.join(socket.handshake.auth.token)
  socket.on('send_message', (message, ack) => {
    io.to(message.receiverId).emit('private message', message)
    ack({ ok: true })
  })
  socket.on('get_conversations', (_payload, ack) => ack({ ok: true }))
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
// Uses the same port after a restart, and the same backlog as Duet.
const at = { port: Number(process.argv[2] ?? 0), host: '127.0.0.1', backlog: 4_096 }
http.listen(at, () => console.log((http.address() as { port: number }).port))
