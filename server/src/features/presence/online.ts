import type { Platform } from '../../platform/platform.ts'
import type { Contacts } from './contacts.ts'
import type { Visibility } from './visibility.ts'

// `gatherMs` batches several changes into one message; `graceMs` bridges page reloads.
const gatherMs = 150
export const graceMs = 1_000

/**
 * Sends each person connected here the list of their contacts who are online. `peersOnline` returns undefined until the
 * person's settings are loaded.
 */
function createLists(realtime: Platform['realtime'], peersOnline: (userId: string) => string[] | undefined) {
  const due = new Set<string>()
  // The last list sent to each person connected here. Sending the same list again would only reveal that something
  // happened.
  const sent = new Map<string, string[]>()
  const viewOf = (ids: string[]) => ids.map((id) => ({ id }))

  /**
   * Sends a person's list to all their devices connected here, unless it is unchanged. Devices connected to other
   * processes get it from those.
   */
  function sendIfChanged(userId: string): boolean {
    const now = realtime.isConnectedHere(userId) ? peersOnline(userId) : undefined
    if (!now) return false
    const before = sent.get(userId)
    if (before?.length === now.length && before.every((id, place) => id === now[place])) return false
    sent.set(userId, now)
    realtime.publishHere([userId], 'user_online', viewOf(now))
    return true
  }

  return {
    sendIfChanged,
    /** Like `sendIfChanged`, but after a short delay that batches several changes into one message. */
    sendSoon(userId: string): void {
      if (due.has(userId) || !realtime.isConnectedHere(userId)) return
      due.add(userId)
      setTimeout(() => {
        due.delete(userId)
        sendIfChanged(userId)
      }, gatherMs).unref()
    },
    lastSent: (userId: string) => viewOf(sent.get(userId) ?? []),
    forget: (userId: string) => sent.delete(userId),
  }
}

/** Tells people connected here which of their contacts are online, if both people show their presence. */
export function createOnline(realtime: Platform['realtime'], contacts: Contacts, visibility: Visibility) {
  // People who left within the grace period still appear online. The value numbers the departures, because each one
  // starts its own grace period.
  const leaving = new Map<string, number>()
  let departures = 0
  const lists = createLists(realtime, (userId) => (visibility.isLoaded(userId) ? peersOnline(userId) : undefined))

  function isShown(id: string): boolean {
    if (leaving.has(id) || !realtime.isConnected(id)) return leaving.has(id)
    if (!realtime.isConnectedHere(id) || visibility.isLoaded(id)) return true
    visibility.defer(id)
    return false
  }
  // Sorted, so that the order reveals nothing.
  const peersOnline = (userId: string) =>
    contacts
      .peersOf(userId)
      .filter((id) => contacts.areMutual(userId, id) && isShown(id))
      .sort()
  function updateWatchers(userId: string): void {
    for (const watcher of contacts.watchersOf(userId)) if (contacts.areMutual(watcher, userId)) lists.sendSoon(watcher)
  }
  function endGrace(userIds: string[], departure: number): void {
    for (const userId of userIds) {
      if (leaving.get(userId) !== departure) continue
      leaving.delete(userId)
      if (!realtime.isConnected(userId)) updateWatchers(userId)
    }
  }

  return {
    ...lists,
    updateWatchers,
    /** `came` have come online in some process; `went` are now offline in all of them. */
    moved(came: string[], went: string[]): void {
      for (const userId of came) if (!leaving.delete(userId)) updateWatchers(userId)
      if (went.length === 0) return
      departures += 1
      for (const userId of went) leaving.set(userId, departures)
      setTimeout(endGrace, graceMs, went, departures).unref()
    },
  }
}

export type Online = ReturnType<typeof createOnline>
