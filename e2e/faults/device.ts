import { io, type Socket } from 'socket.io-client'
import type { Ledger } from './ledger.ts'

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

/** A person's device: the actions that a fault program can take on it, and what its owner sees. */
export interface Device {
  person: Person
  name: string
  /**
   * Writes a message and returns its id, or undefined if there is no connection and the app doesn't let its owner
   * write.
   */
  write(to: string, text: string): string | undefined
  read(peerId: string): void
  /** The visible messages of a conversation, oldest first. Undefined until the conversation has been opened. */
  thread(peerId: string): Shown[] | undefined
  /** Opens a conversation so that its messages are visible. Retries while the connection is broken. */
  open(peerId: string): Promise<void>
  /** The unread count that the owner sees. Undefined for the old client, whose own count is only right after a sync. */
  unread(peerId: string): number | undefined
  /** The number of messages that the server hasn't acknowledged yet. */
  waiting(): number
  isConnected(): boolean
  drops(): number
  /** Closes the device. Unsent messages stay in its storage, from which the same device can be opened again. */
  close(): Promise<void>
}

export interface DeviceParts {
  person: Person
  token: string
  name: string
  url: string
  ledger: Ledger
}

// socket.io doesn't reconnect on its own after a refused connection, for example while the database is down.
const comeBackMs = 1_000

/** Reconnects as the app does, but after a shorter delay to save time. */
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
