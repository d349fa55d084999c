import { createLanes } from '../../platform/lanes.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Connection } from '../../platform/realtime.ts'
import { createContacts } from './contacts.ts'
import { findContacts } from './presence.queries.ts'

/** Whether somebody has a live connection. */
export function isOnline(platform: Pick<Platform, 'realtime'>, userId: string): boolean {
  return platform.realtime.isConnected(userId)
}

/** Everybody online hears of those they talk to, whichever process those are connected to, and of nobody else. */
export interface Presence {
  connected(connection: Connection): Promise<void>
  /** Somebody's last connection to this process is gone. */
  left(userId: string): void
  /** These have come online anywhere, or are offline everywhere. */
  moved(came: string[], went: string[]): void
  /** `userId` talks to `peerId` from now on. */
  watch(userId: string, peerId: string): void
  /** The two see nothing of each other any more. */
  part(a: string, b: string): void
  /** What another process told. */
  told(topic: string, payload: unknown): void
  /** What others told may have been missed. */
  missed(): Promise<void>
  /** Whether the two talk to each other; `userId` is connected here. */
  talk(userId: string, peerId: string): boolean
}

// Several changes at once are one message; a page that reloads is not away.
const gatherMs = 150
const graceMs = 1_000
const readAtOnce = 500

type Pair = [string, string]

export function createPresence(platform: Pick<Platform, 'realtime' | 'log' | 'db'>): Presence {
  const { realtime, log, db } = platform
  const contacts = createContacts()
  const waiting = new Set<string>()
  // Gone for less than the grace: still told to be online.
  const leaving = new Set<string>()

  const find = (userIds: string[]) => findContacts(db, userIds)
  // Those who come at the same time are read together.
  const coming = createLanes<string, void>({
    async flush(userIds) {
      await contacts.load(userIds, find)
      return []
    },
    mayBeOne: () => false,
    lanes: 1,
    mostWaiting: Number.POSITIVE_INFINITY,
    mostWaitMs: Number.POSITIVE_INFINITY,
  })
  const isShown = (id: string) => leaving.has(id) || realtime.isConnected(id)
  const onlinePeers = (userId: string) =>
    contacts
      .peersOf(userId)
      .filter((id) => contacts.areMutual(userId, id) && isShown(id))
      .map((id) => ({ id }))

  function tell(userId: string): void {
    if (waiting.has(userId) || !realtime.isConnectedHere(userId)) return
    waiting.add(userId)
    setTimeout(() => {
      waiting.delete(userId)
      // Other processes tell those who are connected there.
      realtime.publishHere([userId], 'user_online', onlinePeers(userId))
    }, gatherMs).unref()
  }
  function tellWatchers(userId: string): void {
    for (const watcher of contacts.watchersOf(userId)) if (contacts.areMutual(watcher, userId)) tell(watcher)
  }
  function both([a, b]: Pair, act: (a: string, b: string) => void): void {
    act(a, b)
    tell(a)
    tell(b)
  }
  function end(userIds: string[]): void {
    for (const userId of userIds) {
      leaving.delete(userId)
      if (!realtime.isConnected(userId)) tellWatchers(userId)
    }
  }

  return {
    async connected({ viewer, send }) {
      // From now on, not once the list is read: a conversation may begin meanwhile.
      contacts.enter(viewer.id)
      await coming.push(viewer.id, viewer.id)
      send('user_online', onlinePeers(viewer.id))
    },
    left(userId) {
      setTimeout(() => {
        if (!realtime.isConnectedHere(userId)) contacts.leave(userId)
      }, graceMs).unref()
    },
    moved(came, went) {
      for (const userId of came) if (!leaving.delete(userId)) tellWatchers(userId)
      for (const userId of went) leaving.add(userId)
      if (went.length > 0) setTimeout(end, graceMs, went).unref()
    },
    watch(userId, peerId) {
      both([userId, peerId], contacts.watch)
      realtime.announce('watch', [userId, peerId])
    },
    part(a, b) {
      both([a, b], contacts.part)
      realtime.announce('part', [a, b])
    },
    told(topic, payload) {
      if (topic === 'watch') both(payload as Pair, contacts.watch)
      if (topic === 'part') both(payload as Pair, contacts.part)
    },
    async missed() {
      const everybody = contacts.everybody()
      for (let start = 0; start < everybody.length; start += readAtOnce) {
        const some = everybody.slice(start, start + readAtOnce)
        await contacts.load(some, find).catch((err) => log.warn({ err }, 'who talks to whom could not be read again'))
        for (const userId of some) tell(userId)
      }
    },
    talk: contacts.areMutual,
  }
}
