import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A person who connects, and the person they write to. */
export interface Talker {
  id: string
  token: string
  peerId: string
}

/** The result of one measured period. Times in ms, from when a message was due until it was acknowledged. */
export interface Stretch {
  acknowledged: number
  refused: number
  /** Messages that reached the receiver. */
  arrived: number
  seconds: number
  p50: number
  p99: number
}

/** How people came back after their server was killed. Seconds count from the `comeBack` request. */
export interface Return {
  connectedS: number
  syncedS: number
  /** Ids of all messages acknowledged before, during and after the kill. */
  acknowledged: string[]
  /** Messages sent again because no acknowledgement had come. */
  repeated: number
}

/** Requests to the load process; each is answered once it has finished. */
export interface Requests {
  connect: { ask: { port: number; talkers: Talker[]; atOnce: number }; answer: { seconds: number } }
  /** The first person of each pair writes one message. */
  open: { ask: object; answer: Stretch }
  /** Each person always has one unacknowledged message. */
  closedLoop: { ask: { seconds: number }; answer: Stretch }
  /** Sends at this rate whether or not the server keeps up. */
  openLoop: { ask: { perSecond: number; seconds: number }; answer: Stretch }
  /** Connects people who reconnect and resync on their own; `writers` of them write `perSecond` messages in total. */
  outlive: { ask: { port: number; talkers: Talker[]; writers: number; perSecond: number }; answer: object }
  /** Sent just before the server is killed; answered once everyone is back and has resynced. */
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
