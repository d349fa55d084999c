import type { Server } from 'socket.io'
import type { Logger } from '../logger.ts'

/** Above so many bytes that wait for a device, what may be dropped is dropped … */
const dropAbove = 256 * 1024
/** … and above so many, or after so long without any progress, its connection is cut off: it heals when it is back. */
const cutAbove = 1024 * 1024
const lookMs = 500
/** Ten seconds in looks: while the process itself stands still, it does not look. */
const looksStalled = 20

/** What socket.io does not type of a connection: packets that wait for the transport, and the socket under it. */
interface Conn {
  readyState: string
  writeBuffer: { data?: string | Buffer }[]
  transport: {
    name: string
    writable: boolean
    socket?: {
      bufferedAmount: number
      terminate(): void
      /** Of `ws`: the line itself, and what of its current write is not sent yet. */
      _socket?: { _handle?: { writeQueueSize?: number } | null } | null
    }
  }
  close(discard?: boolean): void
}
interface Stall {
  /** What waits is another list as soon as some of it was sent. */
  waiting: unknown
  left: number
  looks: number
}

function bufferedBytes({ writeBuffer, transport }: Conn): number {
  let bytes = transport.socket?.bufferedAmount ?? 0
  for (const { data } of writeBuffer) bytes += data ? Buffer.byteLength(data) : 0
  return bytes
}

/** Changes with every byte that is sent: what is buffered alone would count a long write only when all of it is gone. */
function leftToSend({ transport: { socket } }: Conn): number {
  return (socket?.bufferedAmount ?? 0) + (socket?._socket?._handle?.writeQueueSize ?? 0)
}

/** Whether so much waits for this connection already that what may be dropped should be. */
export function isSlow(conn: unknown): boolean {
  return bufferedBytes(conn as Conn) > dropAbove
}

/** Why a connection is cut off: it does not keep up with what it gets, or sends too much. */
export type CutReason = 'slow' | 'flood'

/** Cuts connections off, and counts them. */
export function createCuts() {
  const counts: Record<CutReason, number> = { slow: 0, flood: 0 }
  return {
    /**
     * Cuts a connection off at once, in a way after which the client reconnects. What it has sent and the server has not
     * read yet is never looked at.
     */
    cut(connection: unknown, reason: CutReason): void {
      const conn = connection as Conn
      const { socket } = conn.transport
      if (conn.readyState === 'open') counts[reason] += 1
      conn.close(true)
      // A close frame would wait behind all that the device does not read.
      socket?.terminate()
    },
    counts: () => ({ ...counts }),
  }
}

export type Cuts = ReturnType<typeof createCuts>

/** Looks for connections that do not keep up and cuts them off. */
export function watchSlowConsumers(io: Server, log: Logger, { cut }: Cuts) {
  const stalls = new WeakMap<Conn, Stall>()
  function isStalled(conn: Conn): boolean {
    // Between two polls nothing can be written; a poll that does not come is noticed by the heartbeat.
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
        log.info({ bytes: bufferedBytes(conn) }, 'a connection that did not keep up was cut off')
        cut(conn, 'slow')
      }
    }
  }
  const timer = setInterval(look, lookMs).unref()
  return { stop: () => clearInterval(timer) }
}
