import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

interface Target {
  host: string
  user: string
  database: string
}

interface GateOptions {
  /** Drops the connection options, as some poolers do. */
  dropsOptions?: boolean
}

/** Removes `options` from a connection's startup packet; names and values are zero-terminated. */
function withoutOptions(packet: Buffer): Buffer {
  const words = packet.subarray(8).toString().split('\0')
  const pairs = words.flatMap((word, n) => (n % 2 === 0 && word ? [[word, words[n + 1] ?? ''] as const] : []))
  const kept = pairs.filter(([name]) => name !== 'options').flatMap((pair) => [...pair])
  const body = Buffer.from(`${kept.join('\0')}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(body.length + 8)
  packet.copy(head, 4, 4, 8)
  return Buffer.concat([head, body])
}

/** Starts a TCP proxy to a database that can be paused: until it resumes, no data passes and no connection breaks. */
export async function databaseGate({ host, user, database }: Target, { dropsOptions = false }: GateOptions = {}) {
  const open = new Set<Socket>()
  let isStopped = false
  const server = createServer((client) => {
    const behind = connect(join(host, '.s.PGSQL.5432'))
    for (const socket of [client, behind]) {
      open.add(socket)
      socket.on('error', () => undefined).on('close', () => [client, behind].map((other) => other.destroy()))
    }
    client.once('data', (packet) => {
      behind.write(dropsOptions ? withoutOptions(packet) : packet)
      client.pipe(behind).pipe(client)
      if (isStopped) client.pause()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  const { port } = server.address() as { port: number }
  return {
    config: { host: '127.0.0.1', port, user, database },
    stop() {
      isStopped = true
      for (const socket of open) socket.pause()
    },
    letGo() {
      isStopped = false
      for (const socket of open) socket.resume()
    },
  }
}
