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

function payloadOf({ id, message, timestamp, senderId, receiverId, replyTo, attachmentId }: Message): OutgoingMessage {
  const fields = { id, message, timestamp, senderId, receiverId, status: 'sent' }
  return { ...fields, ...(replyTo && { replyTo: replyTo.seq }), ...(attachmentId && { attachmentId }) }
}

export function createSending({ socket, unsent, pace, timers }: SendingParts) {
  const onTheirWay = new Set<string>()
  let finish: (() => void) | undefined
  let isWaiting = false

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

  // The connection seems open, but no response came in time, so treat it as dead. Closing it triggers a reconnect.
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
    pump,
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
