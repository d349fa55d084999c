import { vi } from 'vitest'
import type { DuetSocket } from '../../../platform/socket/socket.ts'

export interface Asked {
  name: string
  // biome-ignore lint/suspicious/noExplicitAny: each event has its own payload type
  payload: any
  answer(value: unknown): Promise<void>
  fail(): Promise<void>
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

/** A connection that the test breaks, restores and answers. Requests on a broken connection throw. */
export function fakeLine() {
  const asked: Asked[] = []
  const told: [string, unknown][] = []
  const closed = vi.fn()
  const line = {
    connected: true,
    io: { engine: { close: closed } },
    emit: (name: string, payload: unknown) => void told.push([name, payload]),
    timeout: () => ({
      emitWithAck: (name: string, payload: unknown) => {
        if (!line.connected) throw new Error(`${name} was sent on a broken line`)
        return new Promise((resolve, reject) => {
          const answer = async (value: unknown) => {
            resolve(value)
            await settled()
          }
          const fail = async () => {
            reject(new Error('no answer'))
            await settled()
          }
          asked.push({ name, payload, answer, fail })
        })
      },
    }),
  }
  return {
    line,
    asked,
    told,
    socket: () => line as unknown as DuetSocket,
    closed,
    by: (name: string) => asked.filter((one) => one.name === name),
  }
}

export { settled }
