import { isSlow } from './back-pressure.ts'
import type { Nodes } from './nodes.ts'
import type { Connection } from './socket-requests.ts'
import type { SocketServer } from './socket-server.ts'

export const userRoom = (userId: string) => `user:${userId}`
const sessionPrefix = 'session:'
export const sessionRoom = (sessionId: string) => sessionPrefix + sessionId

/** An event as socket.io writes it in the main namespace: without the walk through its payload in search of bytes. */
const eventPacket = (event: string, payload: unknown) => `2${JSON.stringify([event, payload])}`

/** The connections to this process by person and by session, and what is sent to them. */
export function createRooms(io: SocketServer, nodes: Nodes) {
  const { rooms } = io.of('/').adapter
  const { sockets } = io.of('/')
  const connectionsOf = (userId: string) => rooms.get(userRoom(userId))
  let dropped = 0

  /** A packet is the same text for every device: it is made once, and only when there is one. */
  function publishHere(userIds: readonly string[], event: string, payload: unknown, except?: Connection): void {
    let packet: string | undefined
    for (const userId of userIds) {
      for (const id of connectionsOf(userId) ?? []) {
        if (id === except?.id) continue
        packet ??= eventPacket(event, payload)
        sockets.get(id)?.conn.write(packet)
      }
    }
  }
  function publishVolatileHere(userIds: readonly string[], event: string, payload: unknown): void {
    for (const id of userIds.flatMap((userId) => [...(connectionsOf(userId) ?? [])])) {
      const socket = sockets.get(id)
      if (!socket) continue
      if (isSlow(socket.conn)) dropped += 1
      else socket.emit(event as never, ...([payload] as never))
    }
  }
  // One room at a time: a node passes over a packet for a single room that is empty there without reading it.
  function publishToRooms(userIds: readonly string[], event: string, payload: unknown, except?: Connection): void {
    for (const userId of userIds) {
      const target = io.to(userRoom(userId))
      ;(except ? target.except(except.id) : target).emit(event as never, ...([payload] as never))
    }
  }

  return {
    publish: nodes.adapter ? publishToRooms : publishHere,
    publishHere,
    publishVolatileHere,
    publishVolatile: (userIds: readonly string[], event: string, payload: unknown) => {
      publishVolatileHere(userIds, event, payload)
      nodes.relay(userIds, event, payload)
    },
    /** How many events were dropped for devices that are slow. */
    dropped: () => dropped,
    isConnectedHere: (userId: string) => connectionsOf(userId) !== undefined,
    /** Whether a person looks at a device that is connected here. */
    isLookingHere: (userId: string) =>
      [...(connectionsOf(userId) ?? [])].some((id) => sockets.get(id)?.data.looking !== false),
    /** How many connections a person has here. */
    countOf: (userId: string) => connectionsOf(userId)?.size ?? 0,
    liveSessions: () =>
      [...rooms.keys()].flatMap((room) => (room.startsWith(sessionPrefix) ? [room.slice(sessionPrefix.length)] : [])),
    // Every process hears of the end by itself.
    endSession: (sessionId: string) => void io.local.in(sessionRoom(sessionId)).disconnectSockets(true),
  }
}

export type Rooms = ReturnType<typeof createRooms>
