import type { ContactRow } from './presence.queries.ts'

interface Contact {
  mine: boolean
  theirs: boolean
  /** The other person isn't told of the contact. */
  held: boolean
}

export interface Contacts {
  /** `enter` is for a person's first connection to this process, `leave` for the end of their last one. */
  enter(userId: string): void
  leave(userId: string): void
  everybody(): string[]
  /** Stores the query's result for these people, except for pairs that changed while it ran. */
  load(userIds: string[], find: (userIds: string[]) => Promise<ContactRow[]>): Promise<void>
  watch(userId: string, peerId: string): void
  /** Records that `userId` talks to `peerId`, who isn't told. */
  hold(userId: string, peerId: string): void
  reaches(userId: string, peerId: string): boolean
  part(a: string, b: string): void
  /**
   * Whether both talk to each other, as seen from `userId`, who is connected here. Having opened the conversation isn't
   * enough.
   */
  areMutual(userId: string, peerId: string): boolean
  peersOf(userId: string): string[]
  watchersOf(peerId: string): Iterable<string>
}

function createContactIndex() {
  const contacts = new Map<string, Map<string, Contact>>()
  const watchers = new Map<string, Set<string>>()
  function forget(userId: string, peerId: string): void {
    contacts.get(userId)?.delete(peerId)
    const set = watchers.get(peerId)
    set?.delete(userId)
    if (set?.size === 0) watchers.delete(peerId)
  }
  return {
    get: (userId: string, peerId: string) => contacts.get(userId)?.get(peerId),
    put(userId: string, peerId: string, contact: Partial<Contact>): void {
      const peers = contacts.get(userId)
      if (!peers) return
      peers.set(peerId, { mine: false, theirs: false, held: false, ...peers.get(peerId), ...contact })
      const set = watchers.get(peerId) ?? new Set()
      watchers.set(peerId, set.add(userId))
    },
    forget,
    enter(userId: string): void {
      if (!contacts.has(userId)) contacts.set(userId, new Map())
    },
    leave(userId: string): void {
      for (const peerId of contacts.get(userId)?.keys() ?? []) forget(userId, peerId)
      contacts.delete(userId)
    },
    everybody: () => [...contacts.keys()],
    peersOf: (userId: string) => [...(contacts.get(userId)?.keys() ?? [])],
    watchersOf: (peerId: string): Iterable<string> => watchers.get(peerId) ?? [],
  }
}

export function createContacts(): Contacts {
  const { get, put, forget, ...index } = createContactIndex()
  // For each running load, the pairs that have changed since it began. Those changes are newer than the load's result.
  const loads = new Set<Set<string>>()

  const note = (a: string, b: string) => {
    for (const changed of loads) changed.add(a + b).add(b + a)
  }
  function take(userIds: string[], rows: ContactRow[], changed: ReadonlySet<string>): void {
    const told = new Set(rows.map((row) => row.user_id + row.peer_id))
    for (const userId of userIds)
      for (const peerId of index.peersOf(userId))
        if (!told.has(userId + peerId) && !changed.has(userId + peerId)) forget(userId, peerId)
    for (const { user_id, peer_id, mine, theirs, held } of rows)
      if (!changed.has(user_id + peer_id)) put(user_id, peer_id, { mine, theirs, held })
  }

  return {
    ...index,
    async load(userIds, find) {
      const changed = new Set<string>()
      loads.add(changed)
      try {
        take(userIds, await find(userIds), changed)
      } finally {
        loads.delete(changed)
      }
    },
    watch(userId, peerId) {
      note(userId, peerId)
      put(userId, peerId, { mine: true })
      put(peerId, userId, { theirs: true })
    },
    hold(userId, peerId) {
      note(userId, peerId)
      put(userId, peerId, { mine: true, theirs: true, held: true })
    },
    reaches(userId, peerId) {
      const contact = get(userId, peerId)
      return contact ? contact.mine && contact.theirs && !contact.held : false
    },
    part(a, b) {
      note(a, b)
      forget(a, b)
      forget(b, a)
    },
    areMutual(userId, peerId) {
      const contact = get(userId, peerId)
      return contact ? contact.mine && contact.theirs : false
    },
  }
}
