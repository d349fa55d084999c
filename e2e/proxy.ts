import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/**
 * How the proxy treats a WebSocket: forwards it, refuses it, never answers, accepts it but forwards no frames, or stops
 * after the first few frames.
 */
export type Kind = 'passes' | 'refuses' | 'silent' | 'mute' | 'freezes'

export interface Proxy {
  url: string
  become(kind: Kind): void
  /** While lost, the proxy has dropped all connections and refuses new ones. */
  lose(isLost: boolean): void
  close(): Promise<void>
}

const firstFrames = 3

/** An HTTP proxy like those of company networks. Browsers open each WebSocket through it with CONNECT. */
export async function openProxy(kind: Kind): Promise<Proxy> {
  const tunnels = new Set<Tunnel>()
  const clients = new Set<Socket>()
  const state = { kind, isLost: false }
  const server = createServer((asked, answer) => (state.isLost ? asked.socket.destroy() : forward(asked, answer)))
  server.on('connect', (asked: IncomingMessage, client: Socket) => {
    clients.add(client)
    client.on('error', () => undefined)
    if (state.isLost || state.kind === 'refuses') return client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    if (state.kind === 'silent') return
    const tunnel = openTunnel(asked, client, () => state)
    tunnels.add(tunnel)
    client.on('close', () => tunnels.delete(tunnel))
  })
  const hangUp = () => {
    server.closeAllConnections()
    for (const client of clients) client.destroy()
    clients.clear()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    become: (next) => {
      state.kind = next
      for (const tunnel of tunnels) tunnel.count = 0
    },
    lose: (isLost) => {
      state.isLost = isLost
      if (isLost) hangUp()
    },
    close: async () => {
      hangUp()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function forward(asked: IncomingMessage, answer: ServerResponse): void {
  const onward = request(asked.url ?? '', { method: asked.method, headers: asked.headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers)
    answered.pipe(answer)
  })
  onward.on('error', () => answer.destroy())
  answer.on('close', () => onward.destroy())
  asked.pipe(onward)
}

interface Tunnel {
  client: Socket
  /** The number of chunks from the server, roughly one per frame. */
  count: number
}

function openTunnel({ url = '' }: IncomingMessage, client: Socket, state: () => { kind: Kind }): Tunnel {
  const { hostname, port } = new URL(`http://${url}`)
  const upstream = connect(Number(port), hostname, () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
  const tunnel = { client, count: 0 }
  // The first chunk from the server is its response to the WebSocket handshake, which `mute` must let through.
  const isStopped = () => {
    const { kind } = state()
    return (kind === 'mute' && tunnel.count > 0) || (kind === 'freezes' && tunnel.count > firstFrames)
  }
  client.on('data', (data) => void (isStopped() || upstream.write(data)))
  upstream.on('data', (data) => {
    if (isStopped()) return
    client.write(data)
    tunnel.count += 1
  })
  upstream.on('error', () => client.destroy())
  upstream.on('close', () => void (isStopped() || client.destroy()))
  client.on('close', () => upstream.destroy())
  return tunnel
}
