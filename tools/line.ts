import { once } from 'node:events'
import { openWebSocket, type WebSocket } from './web-socket.ts'

/*
 * A minimal socket.io client. It parses as little as possible, because the load generator shares a core with the
 * database.
 */

/** `ok` is whether the server accepted the event; `text` is the raw acknowledgement. */
export type OnAck = (ok: boolean, text: string) => void

export interface Line {
  send(event: string, payload: string, onAck: OnAck): void
  close(): void
}

export interface Calls {
  onEvent(text: string): void
  onClosed(): void
}

const connectTimeoutMs = 20_000

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

// Handles an acknowledgement: 43<id>[{"ok":true…}]
function acknowledge(waiting: Map<number, OnAck>, text: string): void {
  const start = text.indexOf('[')
  const id = Number(text.slice(2, start))
  const onAck = waiting.get(id)
  waiting.delete(id)
  onAck?.(text.startsWith('[{"ok":true', start), text)
}

export async function portOf(output: NodeJS.ReadableStream): Promise<number> {
  const [line] = (await once(output, 'data')) as [Buffer]
  return Number(line.toString().trim())
}
