import type { Platform } from '../../platform/platform.ts'
import type { Connection } from '../../platform/realtime/realtime.ts'
import { createContacts } from './contacts.ts'
import { createOnline, graceMs } from './online.ts'
import { createPairs, type Pairs, type PresencePair } from './pairs.ts'
import { createReading, type PresenceReading, persist } from './reading.ts'
import { createVisibility } from './visibility.ts'

/** Whether a person has a live connection. */
export function isOnline(platform: Pick<Platform, 'realtime'>, userId: string): boolean {
  return platform.realtime.isConnected(userId)
}

/** Someone shows more or less of themselves from now on, whatever the reason: every process reads again who sees them. */
export function showAnew({ realtime }: Pick<Platform, 'realtime'>, userId: string): void {
  realtime.announceToAll('changed', userId)
}

/** People online hear of those they talk to, whichever process those are connected to, and of no one else. */
export interface Presence {
  connected(connection: Connection): Promise<void>
  /** A person's last connection to this process is gone. */
  left(userId: string): void
  /** These have come online anywhere, or are offline everywhere. */
  moved(came: string[], went: string[]): void
  /** `userId` talks to `peerId` from now on. */
  watch(userId: string, peerId: string): void
  /** `userId` talks to `peerId`, who does not hear of it. */
  hold(userId: string, peerId: string): void
  /** A person changed who sees them, or who sees that they are here. Safe to repeat. */
  changed(userId: string): Promise<void>
  /** Whether a message makes an incognito person visible to its receiver; each hears of the other from then on. */
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

export function createPresence(platform: Pick<Platform, 'realtime' | 'log' | 'db'>): Presence {
  const { realtime, log } = platform
  const contacts = createContacts()
  const visibility = createVisibility()
  const online = createOnline(realtime, contacts, visibility)
  const pairs = createPairs(realtime, contacts, visibility, online)
  const reading = createReading(platform, { contacts, visibility, online, pairs })

  function change(userId: string): Promise<void> {
    realtime.announce('changed', userId)
    return reading.reread(userId)
  }
  function forgetAbsent(userId: string): void {
    if (realtime.isConnectedHere(userId)) return
    contacts.leave(userId)
    visibility.forget(userId)
    online.forget(userId)
  }

  return {
    async connected({ viewer, send }) {
      // From now on, not once the list is read: a conversation may begin meanwhile.
      contacts.enter(viewer.id)
      await persist(log, async () => {
        await reading.arrive(viewer.id)
        if (!online.sendIfChanged(viewer.id)) send('user_online', online.lastSent(viewer.id))
      })
    },
    left: (userId) => setTimeout(forgetAbsent, graceMs, userId).unref(),
    changed: change,
    appears(senderId, receiverId) {
      if (!visibility.isIncognito(senderId) || contacts.areMutual(senderId, receiverId)) return false
      // biome-ignore lint/plugin/void: a failed read is retried until it succeeds.
      void change(senderId)
      return true
    },
    moved: online.moved,
    watch(userId, peerId) {
      pairs.watch([userId, peerId])
      realtime.announce('watch', [userId, peerId])
    },
    hold(userId, peerId) {
      pairs.hold([userId, peerId])
      realtime.announce('hold', [userId, peerId])
    },
    part(a, b) {
      pairs.part([a, b])
      realtime.announce('part', [a, b])
    },
    told: (topic, payload) => hear(topic, payload, pairs, reading),
    missed: reading.rereadEverybody,
    talk: contacts.reaches,
  }
}

/** Takes in what another process did by the verb that the topic names. */
function hear(topic: string, payload: unknown, pairs: Pairs, reading: PresenceReading): void {
  if (topic === 'watch') pairs.watch(payload as PresencePair)
  if (topic === 'hold') pairs.hold(payload as PresencePair)
  if (topic === 'hush') pairs.partFromAll(payload as string)
  // biome-ignore lint/plugin/void: a failed read is retried until it succeeds.
  if (topic === 'changed') void reading.reread(payload as string)
  if (topic === 'part') pairs.part(payload as PresencePair)
}
