import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { each } from '../../../tools/each.ts'
import { type Line, openLine } from '../../../tools/line.ts'
import { percentilesOf } from '../../../tools/percentiles.ts'
import type { Stretch, Talker } from './load.ts'

export interface Crowd {
  lines: Line[]
  talkers: Talker[]
  arrived(): number
}

/** Formats a message as JSON. `id` is the message's id, not the sender's. */
export function written(talker: Talker, id: string, text: string): string {
  const { id: senderId, peerId } = talker
  const timestamp = new Date().toISOString()
  return `{"id":"${id}","message":"${text}","timestamp":"${timestamp}","senderId":"${senderId}","receiverId":"${peerId}","status":"sent"}`
}

const isMessage = (text: string) => text.startsWith('["private message"')

const mostTries = 8

/** Retries, as devices do: a server may refuse some connections when many arrive at once. */
async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === mostTries) throw error
      await sleep(500 * tries)
    }
  }
}

export async function gather(port: number, talkers: Talker[], atOnce: number): Promise<Crowd> {
  let arrived = 0
  let isOver = false
  const onEvent = (text: string) => {
    if (isMessage(text)) arrived++
  }
  const onClosed = () => {
    if (!isOver) throw new Error('a connection was closed')
  }
  const lines: Line[] = []
  await each(talkers, atOnce, async ({ token }, place) => {
    const line = await patiently(() => openLine(port, token, { onEvent, onClosed }))
    lines[place] = {
      ...line,
      close: () => {
        isOver = true
        line.close()
      },
    }
  })
  return { lines, talkers, arrived: () => arrived }
}

const text = 'Shall we have a look at the flower market on Saturday?'
const drainMs = 30_000

/** Measures each message from the moment it was due until it is acknowledged. */
function startCount(crowd: Crowd) {
  const before = crowd.arrived()
  const times: number[] = []
  let refused = 0
  let underWay = 0
  return {
    send(place: number, due: number, onDone = () => {}): void {
      underWay++
      crowd.lines[place]?.send('send_message', written(crowd.talkers[place] as Talker, randomUUID(), text), (ok) => {
        underWay--
        if (ok) times.push(performance.now() - due)
        else refused++
        onDone()
      })
    },
    async result(seconds: () => number): Promise<Stretch> {
      const spent = seconds()
      const counted = times.length
      const { p50, p99 } = percentilesOf(times)
      const until = performance.now() + drainMs
      while (underWay > 0 || crowd.arrived() - before < times.length) {
        if (performance.now() > until)
          throw new Error(
            `${underWay} never acknowledged, ${times.length - crowd.arrived() + before} of ${times.length} never arrived`,
          )
        await sleep(5)
      }
      const rate = { acknowledged: times.length, refused, arrived: crowd.arrived() - before }
      return { ...rate, seconds: (spent * times.length) / Math.max(1, counted), p50, p99 }
    },
  }
}

/** Lets the first person of each pair write one message, so that every conversation exists. */
export async function open(crowd: Crowd): Promise<Stretch> {
  const since = performance.now()
  const count = startCount(crowd)
  const firsts = crowd.talkers.map((_, place) => place).filter((place) => place % 2 === 0)
  await each(firsts, 50, (place) => new Promise((done) => count.send(place, performance.now(), done)))
  return count.result(() => (performance.now() - since) / 1000)
}

/** Lets each person send the next message as soon as the previous one is acknowledged. */
export async function closedLoop(crowd: Crowd, seconds: number): Promise<Stretch> {
  const count = startCount(crowd)
  const since = performance.now()
  let isOver = false
  const goOn = (place: number) => {
    if (!isOver) count.send(place, performance.now(), () => goOn(place))
  }
  for (const place of crowd.lines.keys()) goOn(place)
  await sleep(seconds * 1000)
  isOver = true
  return count.result(() => (performance.now() - since) / 1000)
}

/** Sends at a fixed rate. Latency is measured from when a message was due, so a slow server can't hide its delay. */
export async function openLoop(crowd: Crowd, perSecond: number, seconds: number): Promise<Stretch> {
  const count = startCount(crowd)
  const since = performance.now()
  const total = perSecond * seconds
  for (let sent = 0; sent < total; ) {
    const due = since + (sent * 1000) / perSecond
    if (performance.now() < due) {
      await sleep(1)
      continue
    }
    // Skips through the list, so that the two people of a pair never write at the same time.
    count.send((sent * 7) % crowd.lines.length, due)
    sent++
  }
  return count.result(() => (performance.now() - since) / 1000)
}
