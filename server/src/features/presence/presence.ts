import { createLanes } from '../../platform/lanes.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Connection } from '../../platform/realtime.ts'
import { createContacts } from './contacts.ts'
import { findContacts, findQuiet } from './presence.queries.ts'

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
  /** `userId` talks to `peerId`, who does not hear of it. */
  hold(userId: string, peerId: string): void
  /** Somebody shows another part of themselves from now on: that they are here, or themselves. */
  changed(userId: string): Promise<void>
  /** Whether a message makes somebody appear who is seen by few; they are told of each other from then on. */
  appears(senderId: string, receiverId: string): boolean
  /** The two see nothing of each other any more. */
  part(a: string, b: string): void
  /** What another process told. */
  told(topic: string, payload: unknown): void
  /** What others told may have been missed. */
  missed(): Promise<void>
  /** Whether what `userId`, who is connected here, does reaches `peerId`. */
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
  // Of those here: who is known to show what, who keeps to themselves when they are here, who is seen by few, and who was
  // not shown because it was not known yet.
  const known = new Set<string>()
  const quiet = new Set<string>()
  const discreet = new Set<string>()
  const withheld = new Set<string>()

  async function find(userIds: string[]) {
    const [rows, those] = await Promise.all([findContacts(db, userIds), findQuiet(db, userIds)])
    for (const userId of userIds) {
      quiet.delete(userId)
      discreet.delete(userId)
      known.add(userId)
    }
    for (const { user_id, hide_presence, incognito } of those) {
      if (hide_presence) quiet.add(user_id)
      if (incognito) discreet.add(user_id)
    }
    return rows
  }
  function forget(userId: string): void {
    for (const set of [known, quiet, discreet, withheld]) set.delete(userId)
  }
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
  function isShown(id: string): boolean {
    if (leaving.has(id) || !realtime.isConnected(id)) return leaving.has(id)
    if (!realtime.isConnectedHere(id) || known.has(id)) return true
    withheld.add(id)
    return false
  }
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

  /** Nobody here sees anything of somebody who is quiet, nor the other way round. */
  function hush(userId: string): void {
    for (const peerId of [...contacts.peersOf(userId), ...contacts.watchersOf(userId)])
      both([userId, peerId], contacts.part)
  }
  /** Two who talk from now on, where neither is quiet. Who is quiet is known where they are connected. */
  function begin([a, b]: Pair): void {
    if (!quiet.has(a) && !quiet.has(b)) both([a, b], contacts.watch)
    else realtime.announce('part', [a, b])
  }
  function holdBack([userId, peerId]: Pair): void {
    if (quiet.has(userId) || quiet.has(peerId)) return
    contacts.hold(userId, peerId)
    tell(userId)
  }
  /** Reads again whom somebody talks to, for them and for all of those who are here. */
  async function reread(userId: string): Promise<void> {
    const rows = await findContacts(db, [userId])
    const all = new Set([userId, ...contacts.watchersOf(userId), ...rows.map(({ peer_id }) => peer_id)])
    const here = [...all].filter((id) => realtime.isConnectedHere(id))
    await contacts.load(here, find)
    for (const id of here) tell(id)
  }
  function change(userId: string): Promise<void> {
    realtime.announce('changed', userId)
    return rereadOrWarn(userId)
  }
  const rereadOrWarn = (userId: string) =>
    reread(userId).catch((err) => log.warn({ err }, 'what somebody shows could not be read again'))

  async function arrive(userId: string): Promise<void> {
    await coming.push(userId, userId)
    if (withheld.delete(userId)) tellWatchers(userId)
    if (!quiet.has(userId)) return
    hush(userId)
    realtime.announce('hush', userId)
  }

  return {
    async connected({ viewer, send }) {
      // From now on, not once the list is read: a conversation may begin meanwhile.
      contacts.enter(viewer.id)
      await arrive(viewer.id)
      send('user_online', onlinePeers(viewer.id))
    },
    left(userId) {
      setTimeout(() => {
        if (realtime.isConnectedHere(userId)) return
        contacts.leave(userId)
        forget(userId)
      }, graceMs).unref()
    },
    changed: change,
    appears(senderId, receiverId) {
      if (!discreet.has(senderId) || contacts.areMutual(senderId, receiverId)) return false
      void change(senderId)
      return true
    },
    moved(came, went) {
      for (const userId of came) if (!leaving.delete(userId)) tellWatchers(userId)
      for (const userId of went) leaving.add(userId)
      if (went.length > 0) setTimeout(end, graceMs, went).unref()
    },
    watch(userId, peerId) {
      begin([userId, peerId])
      realtime.announce('watch', [userId, peerId])
    },
    hold(userId, peerId) {
      holdBack([userId, peerId])
      realtime.announce('hold', [userId, peerId])
    },
    part(a, b) {
      both([a, b], contacts.part)
      realtime.announce('part', [a, b])
    },
    told(topic, payload) {
      if (topic === 'watch') begin(payload as Pair)
      if (topic === 'hold') holdBack(payload as Pair)
      if (topic === 'hush') hush(payload as string)
      if (topic === 'changed') void rereadOrWarn(payload as string)
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
    talk: contacts.reaches,
  }
}
