import { connect as dial, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { type Person, person } from '../people.ts'
import { connect } from '../sockets.ts'
import { outgoing } from '../talk.ts'
import { isLong, noteFigure, sized } from './size.ts'
import { openWire } from './wire.ts'

let app: TestApp
const people: Person[] = []
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'fatal', RATE_LIMIT_SCALE: '1' })
  for (let n = 0; n < sized(4, 20); n++) people.push(await person(app))
  // They know each other: nobody counts how much they write.
  const [ana, ben] = [patient(), friend()]
  for (const [from, to] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    const wire = await openWire(app.url, from.token)
    await wire.ask('send_message', outgoing(from, to, 'Hello'))
    wire.close()
  }
}, 120_000)
afterAll(() => app.close())

const patient = () => people[0] as Person
const friend = () => people[1] as Person

/** Keeps within the 120 messages a minute that anybody may send, however long it goes on. */
const pauseMs = 700

/** Somebody who goes on as always; throws when they are not served. Gives how long each thing took. */
async function goOn(): Promise<{ stop(): Promise<number[]> }> {
  const ana = patient()
  const wire = await openWire(app.url, ana.token)
  const took: number[] = []
  let done = false
  const timed = async (what: string, act: () => Promise<boolean>) => {
    const since = performance.now()
    if (!(await act())) throw new Error(`a healthy client was not served: ${what}`)
    took.push(performance.now() - since)
  }
  const going = (async () => {
    while (!done) {
      await timed('http', async () => (await ana.call('GET /api/user/sessions')).status === 200)
      await timed('health', async () => (await fetch(`${app.url}/healthz`)).status === 200)
      const message = outgoing(ana, friend(), `Message ${took.length}`)
      await timed('message', async () => ((await wire.ask('send_message', message)) as { ok?: boolean })?.ok === true)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  })()
  return {
    stop: async () => {
      done = true
      await going
      wire.close()
      return took.sort((a, b) => a - b)
    },
  }
}

function tell(id: string, took: number[], what: string): void {
  expect(took.length).toBeGreaterThan(2)
  const p99 = took[Math.floor(took.length * 0.99)] ?? 0
  noteFigure(id, Math.round(p99), `ms, p99 of what somebody does as always while ${what}`)
}

const beginnings = [
  '',
  'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ',
  'POST /api/user/requestOtp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
]

/** No more at once than wait to be taken in: of others the server never learns, so it cannot cut them off. */
const dialledAtOnce = 200

/** Connections that say nothing, or never finish a head or a body. */
async function openHalf(count: number): Promise<{ sockets: Socket[]; stop(): void }> {
  const { hostname, port } = new URL(app.url)
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(dialledAtOnce, count - sockets.length) }, (_, n) => {
      const socket = dial(Number(port), hostname, () => void socket.write(beginnings[n % beginnings.length] ?? ''))
      return socket.on('error', () => undefined).resume()
    })
    sockets.push(...some)
    await Promise.all(some.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
  }
  const dripping = setInterval(() => {
    for (const [n, socket] of sockets.entries()) if (n % beginnings.length && socket.writable) socket.write('a')
  }, 500)
  return {
    sockets,
    stop: () => {
      clearInterval(dripping)
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe('others are served', () => {
  it('while many hold connections half open, and those are cut off', async () => {
    const count = sized(200, 2_000)
    const half = await openHalf(count)
    const healthy = await goOn()
    const until = performance.now() + sized(20_000, 60_000)
    const open = () => half.sockets.filter(({ destroyed }) => !destroyed).length
    while (open() > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 250))
    const left = open()
    half.stop()
    tell('T26.half_open_p99_ms', await healthy.stop(), `${count} connections are half open`)
    expect(left).toBe(0)
  }, 120_000)

  it('while some flood their connections, and those are told to wait and then cut off', async () => {
    const flooders = people.slice(2).flatMap((who) => Array.from({ length: sized(5, 20) }, () => who))
    const clients = await Promise.all(flooders.map((who) => connect(app, who)))
    const healthy = await goOn()
    const answers: unknown[] = []
    const open = () => clients.filter(({ socket }) => socket.connected).length
    const until = performance.now() + 30_000
    while (open() > 0 && performance.now() < until) {
      for (const [n, { socket }] of clients.entries()) {
        const message = outgoing(flooders[n] as Person, friend(), 'Flood')
        const heard = (ack: unknown) => void answers.push(ack)
        for (let k = 0; k < 60 && socket.connected; k++) socket.emit('send_message', message as never, heard as never)
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const took = await healthy.stop()
    const told = answers.filter((ack) => (ack as { code?: string }).code === 'rate_limited').length
    expect(told).toBeGreaterThan(clients.length * 50)
    expect(open()).toBe(0)
    tell('T15.flood_p99_ms', took, `${clients.length} connections send 600 messages a second`)
    for (const { socket } of clients) socket.disconnect()
  }, 120_000)

  it('while some send frames that mean nothing, or are too large', async () => {
    const healthy = await goOn()
    const ends: Promise<unknown>[] = []
    for (const frame of [
      ...['garbage', '42', '42[', '42{}', '42["send_message"', '0{"token":1}', '44', '9', '41', '2probe', ''],
      ...['451-["send_message",{"_placeholder":true,"num":0}]', '4599999999-["x",{"_placeholder":true,"num":0}]'],
      ...[`42["send_message",${'['.repeat(5_000)}${']'.repeat(5_000)}]`, `42["x","${'y'.repeat(70_000)}"]`],
      ...['42["__proto__",{}]', '42["disconnect"]', '42["connect_error"]', '42["newListener"]', '40/admin,', '40/../,'],
    ]) {
      const { socket } = await connect(app, people[2] as Person)
      const engine = socket.io.engine
      ends.push(new Promise((resolve) => engine.once('close', resolve)))
      ;(engine as unknown as { transport: { ws: { send(data: string): void } } }).transport.ws.send(frame)
      setTimeout(() => socket.disconnect(), 500)
    }
    await Promise.all(ends)
    tell('T15.garbage_p99_ms', await healthy.stop(), 'some send garbage')
    const back = await connect(app, people[2] as Person)
    expect(back.socket.connected).toBe(true)
  }, 120_000)

  it.runIf(isLong)(
    'while one person opens connections without end: twenty stay',
    async () => {
      const healthy = await goOn()
      const who = people[3] as Person
      const opened = await Promise.allSettled(Array.from({ length: 300 }, () => connect(app, who)))
      expect(opened.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(20)
      tell('T15.connections_p99_ms', await healthy.stop(), 'one person opens 300 connections')
    },
    120_000,
  )
})
