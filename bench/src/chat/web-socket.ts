import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/*
 * As much of WebSocket as the load needs: a library would take more of the core it shares with the database than the
 * database does. Text frames out, masked with zeros, which leaves them as they are; whole frames in, as the server of
 * the bench sends them.
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

function framed(text: string): Buffer {
  const length = Buffer.byteLength(text)
  if (length > 0xffff) throw new Error('too long for the load')
  const start = length < 126 ? 6 : 8
  const frame = Buffer.allocUnsafe(start + length)
  frame[0] = 0x81
  if (length < 126) frame[1] = 0x80 | length
  else {
    frame[1] = 0x80 | 126
    frame.writeUInt16BE(length, 2)
  }
  frame.writeUInt32BE(0, start - 4)
  frame.write(text, start)
  return frame
}

/** Hears whole frames of what comes in pieces of any size. */
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
    rest = at === bytes.length ? none : bytes.subarray(at)
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
    send: (text) => void socket.write(framed(text)),
    close: () => void socket.end(closing),
    terminate: () => void socket.destroy(),
  }
}

/** Opens a WebSocket on this machine. `onClosed` is told once, also when it never opened. */
export function openWebSocket(port: number, path: string, { onText, onClosed }: Heard): WebSocket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const read = createReader((opcode, bytes, start, end) => {
    if (opcode === opcodes.text) onText(bytes.toString('latin1', start, end))
    else if (opcode === opcodes.ping) socket.write(pong)
    else if (opcode === opcodes.close) socket.end(closing)
  })
  let answer = none
  const onAnswer = (piece: Buffer) => {
    answer = Buffer.concat([answer, piece])
    const end = answer.indexOf('\r\n\r\n')
    if (end < 0) return
    if (!answer.toString('latin1', 0, 12).endsWith(' 101')) return void socket.destroy()
    socket.off('data', onAnswer).on('data', read)
    read(answer.subarray(end + 4))
  }
  socket.on('data', onAnswer)
  socket.once('connect', () => socket.write(request(port, path)))
  socket.on('error', () => {})
  socket.once('close', onClosed)
  return over(socket)
}
