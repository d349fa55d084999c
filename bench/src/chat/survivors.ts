import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { each } from '../../../tools/each.ts'
import { type Line, openLine } from '../../../tools/line.ts'
import { written } from './crowd.ts'
import type { Return, Talker } from './load.ts'

/** People who reconnect when their connection breaks, and resend messages that weren't acknowledged. */
export interface Survivors {
  comeBack(): Promise<Return>
}

interface Options {
  port: number
  talkers: Talker[]
  writers: number
  perSecond: number
}

interface Survivor {
  talker: Talker
  line: Line | undefined
  /** The number of connections so far, so that callbacks of earlier ones can be ignored. */
  life: number
  synced: boolean
  outbox: Map<string, string>
}

interface Ledger {
  acknowledged: string[]
  repeated: number
}

const limitMs = 180_000
const atOnce = 50
const refusedMs = 1_000

const pauseMs = (attempts: number) => Math.min(5_000, 1_000 * 2 ** attempts * (0.5 + Math.random()))

function again(survivor: Survivor, act: () => void): void {
  const { life } = survivor
  setTimeout(() => survivor.life === life && act(), refusedMs * (0.5 + Math.random()))
}

function send(survivor: Survivor, id: string, ledger: Ledger): void {
  const message = survivor.outbox.get(id)
  if (!message) return
  survivor.line?.send('send_message', message, (ok) => {
    if (!ok) again(survivor, () => send(survivor, id, ledger))
    else if (survivor.outbox.delete(id)) ledger.acknowledged.push(id)
  })
}

function sync(survivor: Survivor): void {
  const { life } = survivor
  survivor.line?.send('get_conversations', '{}', (ok) => {
    if (survivor.life !== life) return
    survivor.synced = ok
    if (!ok) again(survivor, () => sync(survivor))
  })
}

async function connect(survivor: Survivor, port: number, ledger: Ledger): Promise<void> {
  const onClosed = () => {
    survivor.line = undefined
    survivor.synced = false
    survivor.life++
    void keepTrying(survivor, port, ledger)
  }
  survivor.line = await openLine(port, survivor.talker.token, { onEvent: () => {}, onClosed })
  sync(survivor)
  for (const id of survivor.outbox.keys()) {
    ledger.repeated++
    send(survivor, id, ledger)
  }
}

async function keepTrying(survivor: Survivor, port: number, ledger: Ledger): Promise<void> {
  for (let attempts = 0; survivor.line === undefined; attempts++) {
    await sleep(pauseMs(attempts))
    await connect(survivor, port, ledger).catch(() => {})
  }
}

const stateOf = (survivors: readonly Survivor[]) => {
  const count = (is: (survivor: Survivor) => boolean) => survivors.filter(is).length
  const [connected, synced] = [count(({ line }) => line !== undefined), count((one) => one.synced)]
  return `of ${survivors.length} ${connected} are connected, ${synced} synced, ${count(({ outbox }) => outbox.size > 0)} still wait`
}

/** Waits until `isDone` returns true for everyone. Resolves to the time at that moment. */
async function when(survivors: readonly Survivor[], isDone: () => boolean): Promise<number> {
  const until = performance.now() + limitMs
  while (!isDone()) {
    if (performance.now() > until) throw new Error(stateOf(survivors))
    await sleep(20)
  }
  return performance.now()
}

/** Connects everyone and opens their conversations. The first `writers` people write, `perSecond` messages in total. */
export async function createSurvivors({ port, talkers, writers, perSecond }: Options): Promise<Survivors> {
  const ledger: Ledger = { acknowledged: [], repeated: 0 }
  const survivors = talkers.map((talker): Survivor => {
    return { talker, line: undefined, life: 0, synced: false, outbox: new Map() }
  })
  const write = (survivor: Survivor) => {
    const id = randomUUID()
    survivor.outbox.set(id, written(survivor.talker, id, 'Are you still there?'))
    send(survivor, id, ledger)
  }
  const enter = (survivor: Survivor) => connect(survivor, port, ledger).catch(() => keepTrying(survivor, port, ledger))
  await each(survivors, atOnce, enter)
  for (const [place, survivor] of survivors.entries()) if (place % 2 === 0) write(survivor)
  await when(survivors, () => survivors.every(({ synced, outbox }) => synced && outbox.size === 0))
  let next = 0
  const writing = setInterval(() => write(survivors[next++ % writers] as Survivor), 1000 / perSecond)
  return {
    async comeBack() {
      const since = performance.now()
      await when(survivors, () => survivors.some(({ line }) => line === undefined))
      const seconds = async (isDone: () => boolean) => ((await when(survivors, isDone)) - since) / 1000
      const connectedS = await seconds(() => survivors.every(({ line }) => line !== undefined))
      const syncedS = await seconds(() => survivors.every(({ synced }) => synced))
      clearInterval(writing)
      await when(survivors, () => survivors.every(({ outbox }) => outbox.size === 0))
      return { connectedS, syncedS, ...ledger }
    },
  }
}
