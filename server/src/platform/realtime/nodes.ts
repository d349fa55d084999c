import type { ServerOptions } from 'socket.io'

/** What this node hears from the others. */
export interface NodeListener {
  /** These people have got their first connection to any other node, or lost the last one. */
  moved(came: string[], went: string[]): void
  /** An event for people who are connected here, which may be dropped. */
  relayed(userIds: string[], event: string, payload: unknown): void
  told(topic: string, payload: unknown): void
  /** Something that was sent may not have arrived. */
  missed(): void
}

/** The other processes that serve the same Duet. None of what they tell is kept anywhere: PostgreSQL holds the truth. */
export interface Nodes {
  /** Carries what is sent to a room to every node. */
  adapter?: NonNullable<ServerOptions['adapter']>
  listen(listener: NodeListener): void
  /** Announces that a person has a connection here, or no longer has one. */
  came(userId: string): void
  went(userId: string): void
  /** Whether a person is connected to another node, as far as is known. */
  isElsewhere(userId: string): boolean
  /** Sends an event that may be dropped to the nodes where these people are. */
  relay(userIds: readonly string[], event: string, payload: unknown): void
  /** Tells every other node something. */
  tell(topic: string, payload: unknown): void
  /** Whether the others can be reached right now. */
  isJoined(): boolean
  /** Says goodbye. */
  leave(): Promise<void>
}

/** A single process: there is no other node to tell. */
export const alone: Nodes = {
  listen: () => undefined,
  came: () => undefined,
  went: () => undefined,
  isElsewhere: () => false,
  relay: () => undefined,
  tell: () => undefined,
  isJoined: () => true,
  leave: async () => undefined,
}
