import type { OutgoingMessage, SendAck } from '@duet/contract/conversations.ts'
import type { DuetSocket } from '../../../../platform/socket/socket.ts'
import { ask, liveLine } from '../ask.ts'
import type { Message } from '../messages.ts'
import type { Timers } from '../timers.ts'
import type { Pace } from './pace.ts'
import type { Unsent } from './unsent.ts'

const atOnce = 8

interface SendingParts {
  socket(): DuetSocket | null
  unsent: Unsent
  pace: Pace
  timers: Timers
}

/** What send_message carries: the six fields of every client, and what belongs to the message beyond them. */
function payloadOf({ id, message, timestamp, senderId, receiverId, replyTo, attachmentId }: Message): OutgoingMessage {
  const fields = { id, message, timestamp, senderId, receiverId, status: 'sent' }
  return { ...fields, ...(replyTo && { replyTo: replyTo.seq }), ...(attachmentId && { attachmentId }) }
}

/** Sends in order what waits, one at a time to each person, never on a broken line, until nothing more can go out. */
export function createSending({ socket, unsent, pace, timers }: SendingParts) {
  /** Ids of the people who are being written to. */
  const onTheirWay = new Set<string>()
  /** Ends the run that is under way. */
  let finish: (() => void) | undefined
  let isWaiting = false

  /** The oldest that waits for each person who may be written to. */
  function due(): Message[] {
    const firsts = new Map<string, Message>()
    for (const message of unsent.list())
      if (message.delivery !== 'failed' && !firsts.has(message.receiverId)) firsts.set(message.receiverId, message)
    return [...firsts.values()].filter(({ receiverId }) => !onTheirWay.has(receiverId) && !pace.isResting(receiverId))
  }

  function pump(): void {
    if (!finish) return
    const line = liveLine(socket)
    const next = line ? due() : []
    const wait = pace.wait()
    if (next.length === 0 && onTheirWay.size === 0) finish()
    else if (wait > 0) pumpAfter(wait)
    else if (line) for (const message of next.slice(0, atOnce - onTheirWay.size)) send(line, message)
  }

  function pumpAfter(wait: number): void {
    if (isWaiting) return
    isWaiting = true
    timers.later(() => {
      isWaiting = false
      pump()
    }, wait)
  }

  function send(line: DuetSocket, message: Message): void {
    onTheirWay.add(message.receiverId)
    ask(line, 'send_message', payloadOf(message))
      .then(
        (answer) => settle(message, answer),
        () => noAnswer(line),
      )
      .finally(() => {
        onTheirWay.delete(message.receiverId)
        pump()
      })
  }

  // Ten seconds of silence on a line that looks open: it is dead. Closing it makes it come back.
  function noAnswer(line: DuetSocket): void {
    if (!line.connected) return
    pace.unanswered()
    line.io?.engine?.close()
  }

  function settle(message: Message, answer: SendAck): void {
    if (answer.ok) unsent.confirm(message, answer.message)
    else if (unsent.has(message)) pace.refused(message, answer)
  }

  return {
    canSend: () => liveLine(socket) !== undefined && due().length > 0,
    /** Looks again what can go out, in the run that is under way. */
    pump,
    /** Sends what can go out; ends when nothing more can. */
    run: () =>
      new Promise<void>((resolve) => {
        finish = () => {
          finish = undefined
          resolve()
        }
        pump()
      }),
    stop(): void {
      isWaiting = false
      finish?.()
    },
  }
}
