/** What this node hears from the others. */
export interface NodeListener {
  /** These people have got their first connection to any other node, or lost the last one. */
  moved(came: string[], went: string[]): void
  /** An event for people who are connected here, which may be dropped. */
  relayed(userIds: string[], event: string, payload: unknown): void
  /** A packet for a person who is connected here. */
  pushed(userId: string, packet: string): void
  told(topic: string, payload: unknown): void
  /** What is pushed to a person who is connected here is heard only from now on. */
  late(userId: string): void
  /** Something that was sent may not have arrived. */
  missed(): void
}

/** The other processes that serve the same Duet. None of what they tell is kept anywhere: PostgreSQL holds the truth. */
export interface Nodes {
  listen(listener: NodeListener): void
  /** A connection of a person is here: what is pushed to them is heard once this resolves. */
  hear(userId: string): Promise<void>
  /** One is gone again. */
  ignore(userId: string): void
  /** Sends a packet to the nodes that hear these people; it is made only where there are other nodes. */
  push(userIds: readonly string[], packetOf: () => string): void
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
  /** How many packets that were pushed to people reached this node, its own too. */
  heard(): number
  /** Says goodbye. */
  leave(): Promise<void>
}

/** A single process: there is no other node to tell. */
export const alone: Nodes = {
  listen: () => undefined,
  hear: async () => undefined,
  ignore: () => undefined,
  push: () => undefined,
  came: () => undefined,
  went: () => undefined,
  isElsewhere: () => false,
  relay: () => undefined,
  tell: () => undefined,
  isJoined: () => true,
  heard: () => 0,
  leave: async () => undefined,
}
