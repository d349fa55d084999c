export interface Entry {
  id: string
  from: string
  to: string
  text: string
  acknowledged: boolean
  /** Time until the acknowledgement, in ms. */
  tookMs?: number
}

/** A record of all sent messages, independent of everything under test. */
export interface Ledger {
  wrote(entry: Omit<Entry, 'acknowledged' | 'tookMs'>): void
  acknowledged(id: string): void
  entries(): Entry[]
  size(): number
}

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>()
  const since = new Map<string, number>()
  return {
    wrote(entry) {
      entries.set(entry.id, { ...entry, acknowledged: false })
      since.set(entry.id, performance.now())
    },
    acknowledged(id) {
      const entry = entries.get(id)
      if (!entry || entry.acknowledged) return
      entry.acknowledged = true
      entry.tookMs = performance.now() - (since.get(id) ?? 0)
    },
    entries: () => [...entries.values()],
    size: () => entries.size,
  }
}
