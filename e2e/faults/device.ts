import { io, type Socket } from 'socket.io-client'
import type { Ledger } from './ledger.ts'

/** A person with an account, and one token per device. */
export interface Person {
  id: string
  name: string
  tokens: string[]
}

export interface Shown {
  id: string
  seq: number | undefined
  failed: boolean
}

/** A person's device: what a program can do with it, and what its owner sees. */
export interface Device {
  person: Person
  name: string
  /** Writes a message and returns its id; undefined if its owner can't write now because there is no connection. */
  write(to: string, text: string): string | undefined
  read(peerId: string): void
  /** The visible messages of a conversation, oldest first; undefined before it is opened. */
  thread(peerId: string): Shown[] | undefined
  /** Opens a conversation so that its messages show. Retries while the connection is broken. */
  open(peerId: string): Promise<void>
  /**
   * The unread count that its owner sees; undefined for a client that counts on its own and is only right after a sync.
   */
  unread(peerId: string): number | undefined
  /** How many of its messages the server hasn't acknowledged. */
  waiting(): number
  isConnected(): boolean
  /** How often it has lost its connection. */
  drops(): number
  /** Closes it. Unsent messages stay in its storage, from which the same device can be opened again. */
  close(): Promise<void>
}

export interface DeviceParts {
  person: Person
  token: string
  name: string
  /** The URL of the app, for HTTP and the socket. */
  url: string
  ledger: Ledger
}

// socket.io doesn't reconnect on its own after a refused connection, for example while the database is down.
const comeBackMs = 1_000

/** Reconnects like the app, but sooner, to save time. */
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
