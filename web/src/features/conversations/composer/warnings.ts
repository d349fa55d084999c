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

/** What there is to say about a text, the gravest alone; nothing about most. */
export function warningOf(text: string): Warning | undefined {
  const found = new Set(signalsIn(text).map((signal) => warnings[signal]))
  return gravest.find((warning) => found.has(warning))
}

/** How many of the newest messages are looked at. */
const newest = 20
// The cache replaces a message that changes: what was found of one holds for as long as it is there.
const known = new WeakMap<Message, Warning | false>()

function warningIn(message: Message): Warning | false {
  const found = known.get(message) ?? (message.deletedAt ? undefined : warningOf(message.message)) ?? false
  known.set(message, found)
  return found
}

/**
 * What the other one's newest messages call for. Money and threats do however long two have written: those who are after
 * them are patient.
 */
export function receivedWarning(messages: readonly Message[], peerId: string, met: boolean): Warning | undefined {
  const found = new Set(
    messages
      .filter(({ senderId }) => senderId === peerId)
      .slice(-newest)
      .map(warningIn),
  )
  return gravest.find((warning) => found.has(warning) && !(met && warning === 'away'))
}
