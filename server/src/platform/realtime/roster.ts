/**
 * Messages in which a node reports who is connected to it. Each change increments the version; `list` contains everyone
 * at a version.
 */
export type RosterMessage =
  | { kind: 'changed'; from: string; version: number; came: string[]; went: string[] }
  | { kind: 'list'; from: string; version: number; users: string[] }
  | { kind: 'alive'; from: string; version: number }
  | { kind: 'gone'; from: string }

export interface Moves {
  came: string[]
  went: string[]
}

export interface Roster {
  has(userId: string): boolean
  nodesOf(userIds: readonly string[]): Map<string, string[]>
  /** Applies a message. `ask` means that an earlier message was missed, so the node's full list is needed. */
  hear(message: RosterMessage): Moves & { ask: boolean }
  expire(): Moves
}

interface Node {
  version: number
  users: Set<string>
  heardAt: number
}

type NodesById = Map<string, Node>

function isOnAny(nodes: NodesById, userId: string): boolean {
  for (const { users } of nodes.values()) if (users.has(userId)) return true
  return false
}

function add(nodes: NodesById, node: Node, userIds: Iterable<string>): string[] {
  const came: string[] = []
  for (const userId of userIds) {
    if (!isOnAny(nodes, userId)) came.push(userId)
    node.users.add(userId)
  }
  return came
}

function remove(nodes: NodesById, node: Node, userIds: Iterable<string>): string[] {
  const went: string[] = []
  for (const userId of userIds) if (node.users.delete(userId) && !isOnAny(nodes, userId)) went.push(userId)
  return went
}

function drop(nodes: NodesById, id: string): string[] {
  const node = nodes.get(id)
  nodes.delete(id)
  return node ? remove(nodes, node, [...node.users]) : []
}

function replace(nodes: NodesById, node: Node, users: string[]): Moves {
  const listed = new Set(users)
  const came = add(nodes, node, users)
  const unlisted = [...node.users].filter((userId) => !listed.has(userId))
  return { came, went: remove(nodes, node, unlisted) }
}

export function createRoster(leaseMs: number, now: () => number = () => performance.now()): Roster {
  const nodes: NodesById = new Map()
  const nothing = { came: [], went: [] }

  function hearList(id: string, version: number, users: string[]): Moves {
    const node = nodes.get(id) ?? { version, users: new Set(), heardAt: 0 }
    nodes.set(id, Object.assign(node, { version, heardAt: now() }))
    return replace(nodes, node, users)
  }

  return {
    has: (userId) => isOnAny(nodes, userId),
    nodesOf(userIds) {
      const found = new Map<string, string[]>()
      for (const [id, { users }] of nodes) {
        const here = userIds.filter((userId) => users.has(userId))
        if (here.length > 0) found.set(id, here)
      }
      return found
    },
    hear(message) {
      if (message.kind === 'gone') return { came: [], went: drop(nodes, message.from), ask: false }
      if (message.kind === 'list') return { ...hearList(message.from, message.version, message.users), ask: false }
      const node = nodes.get(message.from)
      if (!node) return { ...nothing, ask: true }
      node.heardAt = now()
      if (message.kind === 'alive') return { ...nothing, ask: message.version !== node.version }
      if (message.version !== node.version + 1) return { ...nothing, ask: message.version > node.version }
      node.version = message.version
      return { came: add(nodes, node, message.came), went: remove(nodes, node, message.went), ask: false }
    },
    expire() {
      const went: string[] = []
      for (const [id, { heardAt }] of nodes) if (now() - heardAt > leaseMs) went.push(...drop(nodes, id))
      return { came: [], went }
    },
  }
}
