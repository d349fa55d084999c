import { once } from 'node:events'
import { openWebSocket, type WebSocket } from './web-socket.ts'

/*
 * A socket.io client of our own: it reads of a packet only what has to be known, so that the load takes little
 * of the core it shares with the database.
 */

/** Whether it was accepted, and the acknowledgement as text. */
export type OnAck = (ok: boolean, text: string) => void

export interface Line {
  /** Sends an event; `payload` is JSON already. */
  send(event: string, payload: string, onAck: OnAck): void
  close(): void
}

export interface Calls {
  /** Something came that is no acknowledgement: the packet as text, `["event",payload]`. */
  onEvent(text: string): void
  onClosed(): void
}

const connectTimeoutMs = 20_000

/** Connects with a token; resolves once the server has let it in. Throws when it does not. */
export function openLine(port: number, token: string, calls: Calls): Promise<Line> {
  return new Promise((resolve, reject) => {
    const waiting = new Map<number, OnAck>()
    let isIn = false
    const fail = (reason: string) => {
      clearTimeout(tooLate)
      socket.terminate()
      reject(new Error(reason))
    }
    const tooLate = setTimeout(fail, connectTimeoutMs, 'the server let no one in')
    const onText = (text: string) => {
      const [engine, kind] = text
      if (engine === '2') return socket.send('3')
      if (engine === '0') return socket.send(`40${JSON.stringify({ token })}`)
      if (engine !== '4') return
      if (kind === '2') return calls.onEvent(text.slice(2))
      if (kind === '3') return acknowledge(waiting, text)
      if (kind !== '0') return fail(text)
      isIn = true
      clearTimeout(tooLate)
      resolve(lineOver(socket, waiting))
    }
    const onClosed = () => (isIn ? calls.onClosed() : fail('closed'))
    const socket = openWebSocket(port, '/socket.io/?EIO=4&transport=websocket', { onText, onClosed })
  })
}

function lineOver(socket: WebSocket, waiting: Map<number, OnAck>): Line {
  let next = 0
  return {
    send(event, payload, onAck) {
      const id = next++
      waiting.set(id, onAck)
      socket.send(`42${id}["${event}",${payload}]`)
    },
    close: socket.close,
  }
}

// 43<id>[{"ok":true…}]
function acknowledge(waiting: Map<number, OnAck>, text: string): void {
  const start = text.indexOf('[')
  const id = Number(text.slice(2, start))
  const onAck = waiting.get(id)
  waiting.delete(id)
  onAck?.(text.startsWith('[{"ok":true', start), text)
}

/** Resolves when a listening process has told its port on its first line. */
export async function portOf(output: NodeJS.ReadableStream): Promise<number> {
  const [line] = (await once(output, 'data')) as [Buffer]
  return Number(line.toString().trim())
}
