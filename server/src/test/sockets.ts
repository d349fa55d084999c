import type { ClientToServerEvents, EventName, EventPayload, ServerToClientEvents } from '@duet/contract/realtime.ts'
import { io, type Socket } from 'socket.io-client'
import { onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'
import { standstillMs } from './standstill.ts'

export type ClientSocket = Socket<ServerToClientEvents, ClientToServerEvents>

export interface Client {
  socket: ClientSocket
  received<E extends EventName>(event: E): EventPayload<E>[]
  next<E extends EventName>(event: E, fits?: (payload: EventPayload<E>) => boolean): Promise<EventPayload<E>>
  ask(event: string, payload?: unknown): Promise<Record<string, unknown>>
}

/** Opens a person’s socket and closes it when the test is over. */
export async function connect(app: Pick<TestApp, 'url'>, { token }: { token: string }): Promise<Client> {
  const socket: ClientSocket = io(app.url, {
    auth: { token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  })
  const log: { event: string; payload: unknown }[] = []
  const waiting = new Set<() => void>()
  socket.onAny((event: string, payload: unknown) => {
    log.push({ event, payload })
    for (const look of waiting) look()
  })
  onTestFinished(() => void socket.disconnect())
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
    // Deferred, because the error of a refusal arrives together with the close and should be thrown instead.
    socket.io.once('close', (reason) => queueMicrotask(() => reject(new Error(reason))))
  })
  const received = <E extends EventName>(event: E) =>
    log.filter((entry) => entry.event === event).map((entry) => entry.payload as EventPayload<E>)
  return {
    socket,
    received,
    next: (event, fits = () => true) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`No fitting "${event}" was received.`)), standstillMs)
        const look = () => {
          const found = received(event).find(fits)
          if (!found) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    ask: (event, payload) =>
      socket
        .timeout(standstillMs)
        .emitWithAck(event as never, ...((payload === undefined ? [] : [payload]) as never)) as Promise<
        Record<string, unknown>
      >,
  }
}
