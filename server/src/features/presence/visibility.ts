import type { Quiet } from './presence.queries.ts'

export interface Visibility {
  take(userIds: readonly string[], quiet: readonly Quiet[]): void
  isLoaded(userId: string): boolean
  hidesPresence(userId: string): boolean
  isIncognito(userId: string): boolean
  /** Records that a person was left out of a list because their settings weren't loaded yet. */
  defer(userId: string): void
  /** Whether a person has been left out for that reason since the last call. */
  endDeferral(userId: string): boolean
  forget(userId: string): void
}

export function createVisibility(): Visibility {
  const loaded = new Set<string>()
  const hidden = new Set<string>()
  const incognito = new Set<string>()
  const deferred = new Set<string>()
  return {
    take(userIds, quiet) {
      for (const userId of userIds) {
        hidden.delete(userId)
        incognito.delete(userId)
        loaded.add(userId)
      }
      for (const row of quiet) {
        if (row.hide_presence) hidden.add(row.user_id)
        if (row.incognito) incognito.add(row.user_id)
      }
    },
    isLoaded: (userId) => loaded.has(userId),
    hidesPresence: (userId) => hidden.has(userId),
    isIncognito: (userId) => incognito.has(userId),
    defer: (userId) => deferred.add(userId),
    endDeferral: (userId) => deferred.delete(userId),
    forget(userId) {
      for (const kept of [loaded, hidden, incognito, deferred]) kept.delete(userId)
    },
  }
}
