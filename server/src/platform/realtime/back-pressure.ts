import type { Server } from 'socket.io'
import type { Logger } from '../logger.ts'

/** Bytes waiting for a device above which volatile events are dropped. */
const dropAbove = 256 * 1024
/**
 * Bytes above which the connection is closed. Also closed without any progress for a while; the client reconnects and
 * resyncs.
 */
const cutAbove = 1024 * 1024
const lookMs = 500
/** Ten seconds, counted in checks: a blocked process makes no checks, so no device is cut off because of it. */
const looksStalled = 20

interface Conn {
  readyState: string
  writeBuffer: { data?: string | Buffer }[]
  transport: {
    name: string
    writable: boolean
    socket?: {
      bufferedAmount: number
      terminate(): void
      /** Internals of `ws`: the TCP socket, and the unsent bytes of its current write. */
      _socket?: { _handle?: { writeQueueSize?: number } | null } | null
    }
  }
  close(discard?: boolean): void
}
interface Stall {
  /** engine.io replaces the list once it sends some of it. */
  waiting: unknown
  left: number
  looks: number
}

function bufferedBytes({ writeBuffer, transport }: Conn): number {
  let bytes = transport.socket?.bufferedAmount ?? 0
  for (const { data } of writeBuffer) bytes += data ? Buffer.byteLength(data) : 0
  return bytes
}

/** Changes with every byte sent. The buffered amount alone changes only when a whole write is finished. */
function leftToSend({ transport: { socket } }: Conn): number {
  return (socket?.bufferedAmount ?? 0) + (socket?._socket?._handle?.writeQueueSize ?? 0)
}

export function isSlow(conn: unknown): boolean {
  return bufferedBytes(conn as Conn) > dropAbove
}

export type CutReason = 'slow' | 'flood'

export function createCuts() {
  const counts: Record<CutReason, number> = { slow: 0, flood: 0 }
  return {
    /**
     * Closes a connection immediately, in a way that lets the client reconnect. Received data that wasn't processed yet
     * is discarded.
     */
    cut(connection: unknown, reason: CutReason): void {
      const conn = connection as Conn
      const { socket } = conn.transport
      if (conn.readyState === 'open') counts[reason] += 1
      conn.close(true)
      // Terminate, because a close frame would wait behind everything the device hasn't read.
      socket?.terminate()
    },
    counts: () => ({ ...counts }),
  }
}

export type Cuts = ReturnType<typeof createCuts>

export function watchSlowConsumers(io: Server, log: Logger, { cut }: Cuts) {
  const stalls = new WeakMap<Conn, Stall>()
  function isStalled(conn: Conn): boolean {
    // A long poll can only be answered when it arrives; the heartbeat notices when none comes.
    if (conn.transport.name !== 'websocket') return false
    const left = leftToSend(conn)
    const known = stalls.get(conn)
    if (known && known.waiting === conn.writeBuffer && known.left === left) {
      known.looks += 1
      return known.looks > looksStalled
    }
    stalls.set(conn, { waiting: conn.writeBuffer, left, looks: 0 })
    return false
  }
  function look(): void {
    const { clients } = io.engine as unknown as { clients: Record<string, Conn> }
    for (const id in clients) {
      const conn = clients[id] as Conn
      if (conn.transport.writable) stalls.delete(conn)
      else if (isStalled(conn) || bufferedBytes(conn) > cutAbove) {
        log.info({ bytes: bufferedBytes(conn) }, 'closed a connection that did not keep up')
        cut(conn, 'slow')
      }
    }
  }
  const timer = setInterval(look, lookMs).unref()
  return { stop: () => clearInterval(timer) }
}
