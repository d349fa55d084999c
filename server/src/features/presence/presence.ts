import type { Platform } from '../../platform/platform.ts'
import type { Connection } from '../../platform/realtime.ts'

/** Whether somebody has a live connection. */
export function isOnline(platform: Pick<Platform, 'realtime'>, userId: string): boolean {
  return platform.realtime.isConnected(userId)
}

/** Who watches whom: everybody online hears of those they talk to, and of nobody else. */
export interface Presence {
  connected(connection: Connection): Promise<void>
  disconnected(userId: string): void
  /** `userId` talks to `peerId` from now on. */
  watch(userId: string, peerId: string): void
  /** The two see nothing of each other any more. */
  part(a: string, b: string): void
  /** Whether `userId` talks to `peerId`, as far as is known of people online. */
  talksTo(userId: string, peerId: string): boolean
}

// Several changes at once are one message; a page that reloads is not away.
const gatherMs = 150
const graceMs = 1_000

export function createPresence(
  platform: Pick<Platform, 'realtime' | 'log'>,
  peersOf: (userId: string) => Promise<string[]>,
): Presence {
  const { realtime, log } = platform
  const peers = new Map<string, Set<string>>()
  const watchers = new Map<string, Set<string>>()
  const waiting = new Set<string>()
  // Whoever is told to be online: connected, or gone for less than the grace.
  const online = new Set<string>()

  // Whoever only opened a conversation, and has written nothing, learns nothing of the other one.
  const knows = (userId: string, peerId: string) => peers.get(userId)?.has(peerId) ?? true
  const isShown = (id: string) => online.has(id) || realtime.isConnected(id)
  const onlinePeers = (userId: string) =>
    [...(peers.get(userId) ?? [])].filter((id) => isShown(id) && knows(id, userId)).map((id) => ({ id }))

  function tell(userId: string): void {
    if (waiting.has(userId)) return
    waiting.add(userId)
    setTimeout(() => {
      waiting.delete(userId)
      if (realtime.isConnected(userId)) realtime.publish([userId], 'user_online', onlinePeers(userId))
    }, gatherMs).unref()
  }
  const tellWatchers = (userId: string) => watchers.get(userId)?.forEach(tell)

  function learn(userId: string, peerId: string): void {
    peers.set(userId, (peers.get(userId) ?? new Set()).add(peerId))
    watchers.set(peerId, (watchers.get(peerId) ?? new Set()).add(userId))
  }
  function forget(userId: string, peerId: string): void {
    peers.get(userId)?.delete(peerId)
    watchers.get(peerId)?.delete(userId)
    if (watchers.get(peerId)?.size === 0) watchers.delete(peerId)
  }

  return {
    async connected({ viewer, send }) {
      const cameBack = online.has(viewer.id)
      online.add(viewer.id)
      // From now on, not once the list is read: a conversation may begin meanwhile.
      if (!peers.has(viewer.id)) peers.set(viewer.id, new Set())
      for (const peerId of await peersOf(viewer.id)) learn(viewer.id, peerId)
      send('user_online', onlinePeers(viewer.id))
      if (!cameBack) tellWatchers(viewer.id)
    },
    disconnected(userId) {
      setTimeout(() => {
        if (realtime.isConnected(userId)) return
        for (const peerId of peers.get(userId) ?? []) forget(userId, peerId)
        peers.delete(userId)
        online.delete(userId)
        tellWatchers(userId)
        log.debug({ watchers: watchers.get(userId)?.size ?? 0 }, 'somebody went away')
      }, graceMs).unref()
    },
    watch(userId, peerId) {
      if (!peers.has(userId)) return
      learn(userId, peerId)
      tell(userId)
      tell(peerId)
    },
    part(a, b) {
      forget(a, b)
      forget(b, a)
      tell(a)
      tell(b)
    },
    talksTo: (userId, peerId) => peers.get(userId)?.has(peerId) ?? false,
  }
}
