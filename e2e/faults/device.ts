import { io, type Socket } from 'socket.io-client'
import type { Ledger } from './ledger.ts'

/** A person with an account, and a token for each device. */
export interface Person {
  id: string
  name: string
  tokens: string[]
}

/** A message as a device shows it. */
export interface Shown {
  id: string
  seq: number | undefined
  failed: boolean
}

/** A person's device: what a program may do with it, and what its owner sees. */
export interface Device {
  person: Person
  name: string
  /** Writes a message and returns its id; undefined where a person cannot write now, for want of a connection. */
  write(to: string, text: string): string | undefined
  /** Reads a conversation to its end. */
  read(peerId: string): void
  /** The messages of a conversation as they show, oldest first; undefined before it was opened. */
  thread(peerId: string): Shown[] | undefined
  /** Opens a conversation, so that its messages show. Repeat until it does: the line may be broken. */
  open(peerId: string): Promise<void>
  /** What its owner sees; undefined of a client that counts by itself what arrives, and is only right after it asked. */
  unread(peerId: string): number | undefined
  /** How many messages of its own wait for the server. */
  waiting(): number
  isConnected(): boolean
  /** How often it has lost its connection. */
  drops(): number
  /** Closes it; what waits stays in its storage, from which the same device can be opened again. */
  close(): Promise<void>
}

export interface DeviceParts {
  person: Person
  /** Which of the person's tokens it uses. */
  token: string
  name: string
  /** Where it reaches the app: HTTP and socket. */
  url: string
  ledger: Ledger
}

// What was refused, as while the database is away, socket.io does not open again by itself.
const comeBackMs = 1_000

/** Reconnects like the app, but sooner: a suite of faults has less patience than people. */
export function connectDevice(url: string, token: string): Socket {
  const socket = io(url, {
    auth: { token },
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 200,
    reconnectionDelayMax: 1_000,
    // biome-ignore lint/plugin/deadline: devices give up a connection sooner than the app does, so that they reconnect sooner.
    timeout: 4_000,
  })
  let isOver = false
  const comeBack = () => {
    if (!socket.active) setTimeout(() => !isOver && !socket.active && socket.connect(), comeBackMs)
  }
  socket.on('connect_error', comeBack)
  socket.on('disconnect', (reason) => {
    isOver = reason === 'io client disconnect'
    comeBack()
  })
  return socket
}
