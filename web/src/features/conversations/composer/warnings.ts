import { signalsIn, type TextSignal } from '@duet/contract/text-signals.ts'
import type { Message } from '../chat/messages.ts'

export type Warning = 'threat' | 'money' | 'away'

const warnings: Record<TextSignal, Warning> = {
  threat: 'threat',
  money: 'money',
  crypto: 'money',
  iban: 'money',
  link: 'away',
  phone: 'away',
  off_platform: 'away',
}
const gravest: readonly Warning[] = ['threat', 'money', 'away']

export function warningOf(text: string): Warning | undefined {
  const found = new Set(signalsIn(text).map((signal) => warnings[signal]))
  return gravest.find((warning) => found.has(warning))
}

const newest = 20
// A changed message is a new object, so results can be cached by object identity.
const known = new WeakMap<Message, Warning | false>()

function warningIn(message: Message): Warning | false {
  const found = known.get(message) ?? (message.deletedAt ? undefined : warningOf(message.message)) ?? false
  known.set(message, found)
  return found
}

/** Requests for money and threats are flagged no matter how long the two have talked, because scammers are patient. */
export function receivedWarning(messages: readonly Message[], peerId: string, met: boolean): Warning | undefined {
  const found = new Set(
    messages
      .filter(({ senderId }) => senderId === peerId)
      .slice(-newest)
      .map(warningIn),
  )
  return gravest.find((warning) => found.has(warning) && !(met && warning === 'away'))
}
