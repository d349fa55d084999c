import type { Server } from 'socket.io'

interface Conn {
  readyState: string
  writeBuffer: Packet[]
  transport: {
    name: string
    writable: boolean
    perMessageDeflate: unknown
    socket?: { readyState: number; _sender?: { sendFrame?: unknown } }
  }
  flush(): void
  isWaiting?: boolean
}
interface Packet {
  type: string
  data?: unknown
  options: { wsPreEncodedFrame?: Buffer[] }
}

const open = 1
const finalText = 0x81

const isText = ({ type, data }: Packet) => type === 'message' && typeof data === 'string'

const headerOf = (length: number) => (length < 126 ? 2 : length < 65_536 ? 4 : 10)

function writeHeader(frames: Buffer, start: number, length: number): void {
  frames[start] = finalText
  if (length < 126) frames[start + 1] = length
  else if (length < 65_536) {
    frames[start + 1] = 126
    frames.writeUInt16BE(length, start + 2)
  } else {
    frames[start + 1] = 127
    frames.writeBigUInt64BE(BigInt(length), start + 2)
  }
}

const messageType = 0x34 // '4'

function framesOf(texts: readonly string[]): Buffer {
  let size = 0
  const lengths = texts.map((text) => {
    const length = Buffer.byteLength(text) + 1
    size += headerOf(length) + length
    return length
  })
  const frames = Buffer.allocUnsafe(size)
  let end = 0
  for (const [place, length] of lengths.entries()) {
    writeHeader(frames, end, length)
    end += headerOf(length)
    frames[end] = messageType
    frames.write(texts[place] as string, end + 1)
    end += length
  }
  return frames
}

function join(conn: Conn): void {
  const { writeBuffer, transport } = conn
  const { socket } = transport
  if (socket?.readyState !== open || typeof socket._sender?.sendFrame !== 'function') return
  if (transport.perMessageDeflate) return
  if (!writeBuffer.every(isText)) return
  const frames = framesOf(writeBuffer.map(({ data }) => data as string))
  conn.writeBuffer = [{ type: 'message', options: { wsPreEncodedFrame: [frames] } }]
}

/**
 * Writes everything sent to a connection in one turn of the event loop with one system call, the most expensive part of
 * a message. A message and an acknowledgement that are ready together cost one call.
 */
export function writeOnceATurn(io: Server): void {
  const waiting: Conn[] = []
  let flush: ((this: Conn) => void) | undefined

  function flushAll(): void {
    for (const conn of waiting.splice(0)) {
      conn.isWaiting = false
      if (!conn.transport.writable || conn.writeBuffer.length === 0) continue
      join(conn)
      flush?.call(conn)
    }
  }
  function flushLater(this: Conn): void {
    // A long poll gets one response with everything that is queued.
    if (this.transport.name !== 'websocket') {
      flush?.call(this)
      return
    }
    if (this.isWaiting || this.writeBuffer.length === 0) return
    this.isWaiting = true
    if (waiting.push(this) === 1) process.nextTick(flushAll)
  }
  io.engine.on('connection', (conn: Conn) => {
    flush ??= conn.flush
    conn.flush = flushLater
  })
}
