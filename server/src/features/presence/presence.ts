import type { Platform } from '../../platform/platform.ts'
import type { Connection } from '../../platform/realtime/realtime.ts'
import { createContacts } from './contacts.ts'
import { createOnline, graceMs } from './online.ts'
import { createPairs, type Pairs, type PresencePair } from './pairs.ts'
import { createReading, type PresenceReading, persist } from './reading.ts'
import { createVisibility } from './visibility.ts'

export function isOnline(platform: Pick<Platform, 'realtime'>, userId: string): boolean {
  return platform.realtime.isConnected(userId)
}

/** Announces that a person's visibility has changed, for any reason, so that every process rereads it. */
export function showAnew({ realtime }: Pick<Platform, 'realtime'>, userId: string): void {
  realtime.announceToAll('changed', userId)
}

/** Tells people about the presence of their contacts only, whichever process those are connected to. */
export interface Presence {
  connected(connection: Connection): Promise<void>
  left(userId: string): void
  /** `came` have come online in some process; `went` are now offline in all of them. */
  moved(came: string[], went: string[]): void
  watch(userId: string, peerId: string): void
  /** Records that `userId` talks to `peerId`, who isn't told. */
  hold(userId: string, peerId: string): void
  /** Call it when a person changes who sees them or their presence. Safe to repeat. */
  changed(userId: string): Promise<void>
  /**
   * Whether a message makes an incognito sender visible to its receiver. If so, each gets the other's presence from
   * then on.
   */
  appears(senderId: string, receiverId: string): boolean
  part(a: string, b: string): void
  told(topic: string, payload: unknown): void
  /** Call it when messages from other processes may have been missed. */
  missed(): Promise<void>
  /** Whether the typing of `userId`, who is connected here, reaches `peerId`. */
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
      // Before the list is read, because a conversation may begin in the meantime.
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

function hear(topic: string, payload: unknown, pairs: Pairs, reading: PresenceReading): void {
  if (topic === 'watch') pairs.watch(payload as PresencePair)
  if (topic === 'hold') pairs.hold(payload as PresencePair)
  if (topic === 'hush') pairs.partFromAll(payload as string)
  // biome-ignore lint/plugin/void: a failed read is retried until it succeeds.
  if (topic === 'changed') void reading.reread(payload as string)
  if (topic === 'part') pairs.part(payload as PresencePair)
}
