/** What a node tells of its people. Each change counts its version on by one; `list` is everybody, at a version. */
export type RosterMessage =
  | { kind: 'changed'; from: string; version: number; came: string[]; went: string[] }
  | { kind: 'list'; from: string; version: number; users: string[] }
  | { kind: 'alive'; from: string; version: number }
  | { kind: 'gone'; from: string }

/** Who is now connected to some other node and was not, and the other way round. */
export interface Moves {
  came: string[]
  went: string[]
}

export interface Roster {
  has(userId: string): boolean
  /** The nodes that any of `userIds` are connected to, each with those. */
  nodesOf(userIds: readonly string[]): Map<string, string[]>
  /** Takes in what a node told. `ask` says that something before it was missed: its list is needed. */
  hear(message: RosterMessage): Moves & { ask: boolean }
  /** Forgets the nodes that have not been heard for the length of a lease. */
  expire(): Moves
}

interface Node {
  version: number
  users: Set<string>
  heardAt: number
}

/** A replica of who is connected to the other nodes. `now` counts milliseconds. */
export function createRoster(leaseMs: number, now: () => number = () => performance.now()): Roster {
  const nodes = new Map<string, Node>()
  const has = (userId: string) => {
    for (const { users } of nodes.values()) if (users.has(userId)) return true
    return false
  }
  function add(node: Node, userIds: Iterable<string>): string[] {
    const came: string[] = []
    for (const userId of userIds) {
      if (!has(userId)) came.push(userId)
      node.users.add(userId)
    }
    return came
  }
  function remove(node: Node, userIds: Iterable<string>): string[] {
    const went: string[] = []
    for (const userId of userIds) if (node.users.delete(userId) && !has(userId)) went.push(userId)
    return went
  }
  function drop(id: string): string[] {
    const node = nodes.get(id)
    nodes.delete(id)
    return node ? remove(node, [...node.users]) : []
  }
  function replace(id: string, version: number, users: string[]): Moves {
    const node = nodes.get(id) ?? { version, users: new Set(), heardAt: 0 }
    nodes.set(id, node)
    Object.assign(node, { version, heardAt: now() })
    const listed = new Set(users)
    const came = add(node, users)
    return {
      came,
      went: remove(
        node,
        [...node.users].filter((userId) => !listed.has(userId)),
      ),
    }
  }
  const nothing = { came: [], went: [] }

  return {
    has,
    nodesOf(userIds) {
      const found = new Map<string, string[]>()
      for (const [id, { users }] of nodes) {
        const here = userIds.filter((userId) => users.has(userId))
        if (here.length > 0) found.set(id, here)
      }
      return found
    },
    hear(message) {
      if (message.kind === 'gone') return { came: [], went: drop(message.from), ask: false }
      if (message.kind === 'list') return { ...replace(message.from, message.version, message.users), ask: false }
      const node = nodes.get(message.from)
      if (!node) return { ...nothing, ask: true }
      node.heardAt = now()
      if (message.kind === 'alive') return { ...nothing, ask: message.version !== node.version }
      if (message.version !== node.version + 1) return { ...nothing, ask: message.version > node.version }
      node.version = message.version
      return { came: add(node, message.came), went: remove(node, message.went), ask: false }
    },
    expire() {
      const went: string[] = []
      for (const [id, { heardAt }] of nodes) if (now() - heardAt > leaseMs) went.push(...drop(id))
      return { came: [], went }
    },
  }
}
