import type { Platform } from '../../platform/platform.ts'
import type { Contacts } from './contacts.ts'
import type { Online } from './online.ts'
import type { Visibility } from './visibility.ts'

export type PresencePair = [string, string]

export function createPairs(
  realtime: Platform['realtime'],
  contacts: Contacts,
  visibility: Visibility,
  { sendSoon }: Pick<Online, 'sendSoon'>,
) {
  function changeBoth([a, b]: PresencePair, change: (a: string, b: string) => void): void {
    change(a, b)
    sendSoon(a)
    sendSoon(b)
  }
  const eitherHides = ([a, b]: PresencePair) => visibility.hidesPresence(a) || visibility.hidesPresence(b)

  return {
    /**
     * Records that the two talk to each other. If either hides their presence, which only the process they are
     * connected to knows, separates the two instead.
     */
    watch(pair: PresencePair): void {
      if (!eitherHides(pair)) changeBoth(pair, contacts.watch)
      else realtime.announce('part', pair)
    },
    /** Records that the first talks to the second, who isn't told. */
    hold(pair: PresencePair): void {
      if (eitherHides(pair)) return
      contacts.hold(...pair)
      sendSoon(pair[0])
    },
    part: (pair: PresencePair) => changeBoth(pair, contacts.part),
    /** Separates a person from all contacts: people who hide their presence see nobody's, and nobody sees theirs. */
    partFromAll(userId: string): void {
      for (const peerId of [...contacts.peersOf(userId), ...contacts.watchersOf(userId)])
        changeBoth([userId, peerId], contacts.part)
    },
  }
}

export type Pairs = ReturnType<typeof createPairs>
