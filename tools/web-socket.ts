import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/*
 * Implements only what the load generator needs: a library would use more CPU than the database that shares its core.
 * Frames are masked with zeros, which leaves their text unchanged.
 */
export interface WebSocket {
  send(text: string): void
  close(): void
  terminate(): void
}

export interface Heard {
  onText(text: string): void
  onClosed(): void
}

const opcodes = { text: 1, close: 8, ping: 9 }
const closing = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8])
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
const none = Buffer.alloc(0)
/** Shared by all sockets, which read one at a time. Otherwise Node would allocate 64 KB per read. */
const inbox = Buffer.alloc(65_536)

// Written as latin1, which Node passes to the kernel without a buffer. All of the load is ASCII.
function framed(text: string): string {
  const { length } = text
  if (length > 0xffff) throw new Error('too long for the load')
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff]
  return `${String.fromCharCode(0x80 | opcodes.text, ...size)}\0\0\0\0${text}`
}

/** Reassembles frames from chunks of any size. A payload is only valid until `hear` returns. */
function createReader(hear: (opcode: number, payload: Buffer, start: number, end: number) => void) {
  let rest: Buffer = none
  return (piece: Buffer) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
    let at = 0
    while (at + 2 <= bytes.length) {
      const short = (bytes[at + 1] as number) & 0x7f
      const head = short < 126 ? 2 : short === 126 ? 4 : 10
      if (at + head > bytes.length) break
      const long = () => (short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2)))
      const start = at + head
      const end = start + (short < 126 ? short : long())
      if (end > bytes.length) break
      hear((bytes[at] as number) & 0x0f, bytes, start, end)
      at = end
    }
    rest = at === bytes.length ? none : Buffer.from(bytes.subarray(at))
  }
}

const request = (port: number, path: string) =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    '\r\n',
  ].join('\r\n')

function over(socket: Socket): WebSocket {
  return {
    send: (text) => void socket.write(framed(text), 'latin1'),
    close: () => void socket.end(closing),
    terminate: () => void socket.destroy(),
  }
}

/** `onClosed` is also called if the connection never opened. */
export function openWebSocket(port: number, path: string, { onText, onClosed }: Heard): WebSocket {
  const hear = createReader((opcode, bytes, start, end) => {
    if (opcode === opcodes.text) onText(bytes.toString('latin1', start, end))
    else if (opcode === opcodes.ping) socket.write(pong)
    else if (opcode === opcodes.close) socket.end(closing)
  })
  let answer = none
  const hearAnswer = (piece: Buffer) => {
    answer = Buffer.concat([answer, piece])
    const end = answer.indexOf('\r\n\r\n')
    if (end < 0) return
    if (!answer.toString('latin1', 0, 12).endsWith(' 101')) return void socket.destroy()
    listen = hear
    hear(answer.subarray(end + 4))
  }
  let listen: (piece: Buffer) => void = hearAnswer
  const callback = (size: number) => {
    listen(inbox.subarray(0, size))
    return true
  }
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: inbox, callback } })
  socket.once('connect', () => socket.write(request(port, path)))
  socket.on('error', () => {})
  socket.once('close', onClosed)
  return over(socket)
}
