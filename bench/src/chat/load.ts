import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A person who connects, and their partner. */
export interface Talker {
  id: string
  token: string
  peerId: string
}

/** The result of one measured period. Latencies are in ms, from when a message was due until it was acknowledged. */
export interface Stretch {
  acknowledged: number
  refused: number
  arrived: number
  seconds: number
  p50: number
  p99: number
}

/** How clients reconnected after their server was killed. Times are in seconds since the `comeBack` request. */
export interface Return {
  connectedS: number
  syncedS: number
  acknowledged: string[]
  /** Messages that were resent because no acknowledgement had arrived. */
  repeated: number
}

/** Requests to the load process. It answers each one when the work is done. */
export interface Requests {
  connect: { ask: { port: number; talkers: Talker[]; atOnce: number }; answer: { seconds: number } }
  /** Makes the first person of each pair write one message. */
  open: { ask: object; answer: Stretch }
  /** Keeps one unacknowledged message per person. */
  closedLoop: { ask: { seconds: number }; answer: Stretch }
  /** Sends at this rate, even if the server can't keep up. */
  openLoop: { ask: { perSecond: number; seconds: number }; answer: Stretch }
  /** Connects people who reconnect and resync automatically. `writers` of them write `perSecond` messages in total. */
  outlive: { ask: { port: number; talkers: Talker[]; writers: number; perSecond: number }; answer: object }
  /** Sent just before the server is killed. The answer comes when everyone has reconnected and resynced. */
  comeBack: { ask: object; answer: Return }
  close: { ask: object; answer: object }
}
export type RequestName = keyof Requests
export type RequestTo<R extends RequestName> = Requests[R]['ask'] & { name: R; place: number }

export interface Load {
  ask<R extends RequestName>(name: R, request: Requests[R]['ask']): Promise<Requests[R]['answer']>
  stop(): void
}

const program = join(dirname(fileURLToPath(import.meta.url)), 'load.process.ts')

export function startLoad(): Load {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, { resolve(answer: never): void; reject(error: Error): void }>()
  let next = 0
  child.on('message', (reply: { place: number; answer?: never; error?: string }) => {
    const asked = waiting.get(reply.place)
    waiting.delete(reply.place)
    if (reply.error === undefined) asked?.resolve(reply.answer as never)
    else asked?.reject(new Error(reply.error))
  })
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the load has ended'))
  })
  return {
    ask: (name, request) =>
      new Promise((resolve, reject) => {
        const place = next++
        waiting.set(place, { resolve: resolve as never, reject })
        child.send({ ...request, name, place })
      }),
    stop: () => void child.kill('SIGKILL'),
  }
}
