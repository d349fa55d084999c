import { randomInt } from 'node:crypto'
import { readUpTo } from '../features/conversations/conversations.ts'
import type { Sending } from '../features/conversations/sending.ts'
import { after } from '../platform/clock.ts'
import type { JobSpec } from '../platform/jobs/jobs.ts'
import type { Platform } from '../platform/platform.ts'
import { answerTo } from './answer.ts'
import { areDemo, findNewest } from './demo.queries.ts'
import { demoPeople } from './people.ts'

interface Turn {
  from: string
  to: string
}

const keyOf = (kind: string, { from, to }: Turn) => `${kind}:${from}:${to}`
const mostInARow = 3

export interface DemoReplies {
  onSent(senderId: string, receiverId: string): void
  jobs: JobSpec[]
}

export function demoReplies(platform: Platform, sending: Pick<Sending, 'sendMessage'>): DemoReplies {
  const at = (ms: number) => after(platform.clock.now(), ms)

  async function hear(senderId: string, receiverId: string): Promise<void> {
    const demo = await areDemo(platform.db, [receiverId])
    if (!demo.has(receiverId)) return
    const turn = { from: receiverId, to: senderId }
    await platform.jobs.add('demo-typing', turn, {
      key: keyOf('demo-typing', turn),
      runAt: at(randomInt(1_200, 3_500)),
    })
  }

  async function type(turn: Turn): Promise<void> {
    platform.realtime.publishVolatile([turn.to], 'typing', { senderId: turn.from })
    await readUpTo(platform, turn.from, turn.to)
    await platform.jobs.add('demo-reply', turn, { key: keyOf('demo-reply', turn), runAt: at(randomInt(3_000, 6_000)) })
  }

  async function reply({ from, to }: Turn): Promise<void> {
    const newest = await findNewest(platform.db, from, to, mostInARow + 1)
    const heard = newest[0]
    platform.realtime.publishVolatile([to], 'stop_typing', { senderId: from })
    const person = demoPeople().find(({ id }) => id === from)
    if (!heard || heard.sender_id === from || !person) return
    const message = answerTo(heard.body, person, heard.seq)
    await sending.sendMessage(from, { id: `demo-${heard.seq}`, receiverId: to, message })
  }

  return {
    onSent: (senderId, receiverId) =>
      void hear(senderId, receiverId).catch((err) => platform.log.warn({ err }, 'a demo character could not answer')),
    jobs: [
      { name: 'demo-typing', run: (payload) => type(payload as Turn) },
      { name: 'demo-reply', run: (payload) => reply(payload as Turn) },
    ],
  }
}
