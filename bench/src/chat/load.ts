import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A person who connects, and the person they write to. */
export interface Talker {
  id: string
  token: string
  peerId: string
}

/** What a stretch of sending came to. Times in ms, from when a message was due until it was acknowledged. */
export interface Stretch {
  acknowledged: number
  refused: number
  /** Messages that arrived at the other side. */
  arrived: number
  seconds: number
  p50: number
  p99: number
}

/** How people came back after their server was killed. Seconds since the load was told to watch. */
export interface Return {
  connectedS: number
  syncedS: number
  /** Ids of all messages that were acknowledged before, during and after. */
  acknowledged: string[]
  /** Messages that were sent again because no acknowledgement had come. */
  repeated: number
}

/** What the load's process is asked; each is answered once it is over. */
export interface Requests {
  connect: { ask: { port: number; talkers: Talker[]; atOnce: number }; answer: { seconds: number } }
  /** The first of each pair writes one message. */
  open: { ask: object; answer: Stretch }
  /** Each person has one message under way all the time. */
  closedLoop: { ask: { seconds: number }; answer: Stretch }
  /** So many messages a second, whether or not the server keeps up. */
  openLoop: { ask: { perSecond: number; seconds: number }; answer: Stretch }
  /** Connects people who reconnect and ask again; `writers` of them write `perSecond` messages in all. */
  outlive: { ask: { port: number; talkers: Talker[]; writers: number; perSecond: number }; answer: object }
  /** The server is about to be killed; answered when all are back and have asked for what they missed. */
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

/** Starts a process that connects people and lets them write. */
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
