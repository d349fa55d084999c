import type { Platform } from '../../platform/platform.ts'
import type { Contacts } from './contacts.ts'
import type { Online } from './online.ts'
import type { Visibility } from './visibility.ts'

export type PresencePair = [string, string]

/** What two people become to each other, and then what each is shown of the other. */
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
    /** Two who talk from now on, where neither hides their presence. That is known where they are connected. */
    watch(pair: PresencePair): void {
      if (!eitherHides(pair)) changeBoth(pair, contacts.watch)
      else realtime.announce('part', pair)
    },
    /** The first talks to the second, who does not hear of it. */
    hold(pair: PresencePair): void {
      if (eitherHides(pair)) return
      contacts.hold(...pair)
      sendSoon(pair[0])
    },
    part: (pair: PresencePair) => changeBoth(pair, contacts.part),
    /** People who hide their presence see no one's, and no one sees theirs. */
    partFromAll(userId: string): void {
      for (const peerId of [...contacts.peersOf(userId), ...contacts.watchersOf(userId)])
        changeBoth([userId, peerId], contacts.part)
    },
  }
}

export type Pairs = ReturnType<typeof createPairs>
