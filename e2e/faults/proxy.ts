import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** What happens to the data of one direction: it passes, is buffered until it may pass again, or is dropped. */
export type Flow = 'pass' | 'hold' | 'vanish'

export interface Weather {
  /** `up` is from the client to the server, `down` is back. */
  up: Flow
  down: Flow
  /** Delay of every chunk, in ms. Chunks stay in order. */
  delayMs: number
  bytesPerSecond: number
  /** Resets a connection after this many bytes from the server. */
  cutAfter: number
}

export interface Line {
  port: number
  /** Changes the faults of open and new connections. Faults that aren't given stay as they are. */
  weather(changes: Partial<Weather>): void
  cut(): void
  /** Removes all faults. Connections that lost data are reset, because their streams are broken. */
  clear(): void
  close(): void
}

const fine: Weather = {
  up: 'pass',
  down: 'pass',
  delayMs: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  cutAfter: Number.POSITIVE_INFINITY,
}

interface Piece {
  chunk: Buffer
  due: number
}

interface Pipe {
  flush(): void
}

// A real network buffers only so much before the sender is blocked.
const mostHeld = 16

// Unix domain sockets can't be reset.
const reset = (socket: Socket) => (socket.remoteFamily ? socket.resetAndDestroy() : socket.destroy())

function createPipe(from: Socket, into: Socket, weather: () => Weather, direction: 'up' | 'down', onTorn: () => void) {
  const queue: Piece[] = []
  let passed = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    while (queue[0] && weather()[direction] === 'pass') {
      const wait = queue[0].due - performance.now()
      if (wait > 0) {
        timer = setTimeout(flush, wait)
        return
      }
      pass(queue.shift() as Piece)
    }
    if (queue.length === 0) from.resume()
  }
  function pass({ chunk }: Piece): void {
    passed += chunk.length
    into.write(chunk)
    if (direction === 'down' && passed > weather().cutAfter) reset(into)
  }

  from.on('data', (chunk: Buffer) => {
    const { [direction]: flow, delayMs, bytesPerSecond } = weather()
    if (flow === 'vanish') return onTorn()
    const slowMs = (chunk.length / bytesPerSecond) * 1000
    queue.push({ chunk, due: performance.now() + delayMs + slowMs })
    if (queue.length > mostHeld || slowMs > 0 || flow === 'hold') from.pause()
    flush()
  })
  from.on('end', () => weather()[direction] === 'pass' && into.end())
  into.on('close', () => clearTimeout(timer))
  return { flush }
}

interface Pair {
  sockets: Socket[]
  pipes: Pipe[]
  /** Whether data was lost, so that the rest of the stream is useless to both sides. */
  torn: boolean
}

function joinPair(client: Socket, server: Socket, weather: () => Weather, onEnd: (pair: Pair) => void): Pair {
  const pair: Pair = { sockets: [client, server], pipes: [], torn: false }
  const onTorn = () => {
    pair.torn = true
  }
  pair.pipes = [createPipe(client, server, weather, 'up', onTorn), createPipe(server, client, weather, 'down', onTorn)]
  for (const socket of pair.sockets) {
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => {
      onEnd(pair)
      for (const other of pair.sockets) other.destroy()
    })
  }
  return pair
}

/** Listens on a free loopback port. `target` returns the destination of a new connection, or undefined to refuse it. */
export async function startProxy(target: () => NetConnectOpts | undefined): Promise<Line> {
  let weather = { ...fine }
  const pairs = new Set<Pair>()
  const server = createServer((client) => {
    const to = target()
    if (!to) return void client.destroy()
    pairs.add(
      joinPair(
        client,
        connect(to),
        () => weather,
        (pair) => pairs.delete(pair),
      ),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (which: (pair: Pair) => boolean = () => true) => {
    for (const pair of [...pairs].filter(which)) for (const socket of pair.sockets) reset(socket)
  }
  const change = (changes: Partial<Weather>) => {
    weather = { ...weather, ...changes }
    for (const { pipes } of pairs) for (const { flush } of pipes) flush()
  }
  return {
    port: (server.address() as { port: number }).port,
    weather: change,
    cut: () => cut(),
    clear() {
      cut(({ torn }) => torn)
      change(fine)
    },
    close() {
      server.close()
      cut()
    },
  }
}
