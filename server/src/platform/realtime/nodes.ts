export interface NodeListener {
  moved(came: string[], went: string[]): void
  relayed(userIds: string[], event: string, payload: unknown): void
  pushed(userId: string, packet: string): void
  told(topic: string, payload: unknown): void
  late(userId: string): void
  missed(): void
}

/** The other nodes of this deployment. Nothing they send is stored: PostgreSQL is the source of truth. */
export interface Nodes {
  listen(listener: NodeListener): void
  /** Subscribes to a person's events for one more connection. Resolves once the subscription is active. */
  hear(userId: string): Promise<void>
  ignore(userId: string): void
  /**
   * Sends a packet to the nodes that have connections of these people. `packetOf` runs only if there are other nodes.
   */
  push(userIds: readonly string[], packetOf: () => string): void
  came(userId: string): void
  went(userId: string): void
  isElsewhere(userId: string): boolean
  relay(userIds: readonly string[], event: string, payload: unknown): void
  tell(topic: string, payload: unknown): void
  isJoined(): boolean
  heard(): number
  leave(): Promise<void>
}

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
