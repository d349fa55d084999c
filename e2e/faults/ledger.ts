/** What one person wrote to another, and whether the server said that it has it. */
export interface Entry {
  id: string
  from: string
  to: string
  text: string
  acknowledged: boolean
}

/** The senders' own account, kept apart from everything that is tested. */
export interface Ledger {
  wrote(entry: Omit<Entry, 'acknowledged'>): void
  acknowledged(id: string): void
  entries(): Entry[]
  size(): number
}

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>()
  return {
    wrote: (entry) => void entries.set(entry.id, { ...entry, acknowledged: false }),
    acknowledged(id) {
      const entry = entries.get(id)
      if (entry) entry.acknowledged = true
    },
    entries: () => [...entries.values()],
    size: () => entries.size,
  }
}
