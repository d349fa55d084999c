import { setTimeout as sleep } from 'node:timers/promises'
import type { Line, Weather } from '../proxy.ts'
import { startProxy } from '../proxy.ts'
import { openBare } from '../socket.ts'
import { type Program, type Stage, standstillMs, unless, until, withTraffic } from '../stage.ts'

const linesOf = ({ fleet }: Stage): Line[] => fleet.members.map(({ line }) => line)

/**
 * Applies a fault to about half of the connections for a while, then removes it and resets the connections that lost
 * data.
 */
async function spell(stage: Stage, weather: Partial<Weather>, forMs: number): Promise<void> {
  const lines = linesOf(stage).filter(() => stage.chance.next() < 0.6)
  for (const line of lines) line.weather(weather)
  await sleep(forMs)
  for (const line of lines) line.clear()
}

export const cutOff: Program = {
  id: 'T5',
  title: 'connections are reset, freeze, lose one direction, crawl, and break after some bytes',
  run: (stage) =>
    withTraffic(stage, 60, async () => {
      for (const line of linesOf(stage)) line.cut()
      await sleep(600)
      await spell(stage, { up: 'hold', down: 'hold' }, 1_200)
      await spell(stage, { down: 'vanish' }, 800)
      await spell(stage, { up: 'vanish' }, 800)
      await spell(stage, { bytesPerSecond: 4_000 }, 1_000)
      await spell(stage, { cutAfter: stage.chance.between(500, 5_000) }, 1_000)
    }),
}

export const lateAnswers: Program = {
  id: 'T7',
  title: 'answers and pushes come late and overtake each other between devices',
  run: (stage) =>
    withTraffic(stage, 60, async () => {
      for (let round = 0; round < 12; round++) {
        for (const line of linesOf(stage)) line.weather({ delayMs: stage.chance.pick([0, 0, 20, 150, 400]) })
        await sleep(200)
      }
      for (const line of linesOf(stage)) line.clear()
    }),
}

const crowd = 120

export const storm: Program = {
  id: 'T12',
  title: `${crowd} connections break at once, with the others, and all come back and ask`,
  async run(stage) {
    const { world, fleet } = stage
    const people = stage.strangers(crowd / 3)
    let at = 0
    const line = await startProxy(() => ({ host: '127.0.0.1', port: (world.nodes[at++ % 2] ?? { port: 0 }).port }))
    const open = () =>
      Promise.all(people.flatMap((person) => [0, 1, 2].map((token) => openBare(line.port, person, token))))
    try {
      await open()
      line.cut()
      for (const { line: own } of fleet.members) own.cut()
      const back = await open()
      const answers = await Promise.all(back.map((bare) => bare.ask('get_conversations', {})))
      const all = await until(() => fleet.devices().every((device) => device.isConnected()), standstillMs)
      for (const bare of back) bare.close()
      return [
        ...unless(all, 'not everybody came back'),
        ...unless(
          answers.every(({ ok }) => ok),
          'someone was refused',
        ),
      ]
    } finally {
      line.close()
    }
  },
}
