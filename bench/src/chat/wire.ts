import { once } from 'node:events'
import { WebSocket } from 'ws'

/*
 * A socket.io client of the bench's own, on bare WebSocket: it reads of a packet only what has to be known, so that the
 * load takes little of the core it shares with the database.
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
export async function openLine(port: number, token: string, { onEvent, onClosed }: Calls): Promise<Line> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
    handshakeTimeout: connectTimeoutMs,
  })
  const waiting = new Map<number, OnAck>()
  let next = 0
  let isIn = false
  const letIn = new Promise<void>((resolve, reject) => {
    const tooLate = setTimeout(() => reject(new Error('the server let nobody in')), connectTimeoutMs)
    tooLate.unref()
    const settle = (act: () => void) => {
      clearTimeout(tooLate)
      act()
    }
    socket.on('error', (error) => settle(() => reject(error)))
    socket.on('close', () => {
      settle(() => reject(new Error('closed')))
      if (isIn) onClosed()
    })
    socket.on('message', (packet: Buffer) => {
      const text = packet.toString('latin1')
      const [engine, kind] = text
      if (engine === '2') return socket.send('3')
      if (engine === '0') return socket.send(`40${JSON.stringify({ token })}`)
      if (engine !== '4') return
      if (kind === '2') return onEvent(text.slice(2))
      if (kind === '3') return acknowledge(waiting, text)
      if (kind === '0') {
        isIn = true
        return settle(resolve)
      }
      settle(() => reject(new Error(text)))
    })
  })
  try {
    await letIn
  } catch (error) {
    socket.terminate()
    throw error
  }
  return {
    send(event, payload, onAck) {
      const id = next++
      waiting.set(id, onAck)
      socket.send(`42${id}["${event}",${payload}]`)
    },
    close: () => socket.close(),
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
