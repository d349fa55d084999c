import { once } from 'node:events'
import { connect as dial, type Socket } from 'node:net'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import WebSocket from 'ws'
import { rounds } from '../../../../tools/tier.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { type Person, person } from '../people.ts'
import { type ClientSocket, connect } from '../sockets.ts'
import { outgoing } from '../talk.ts'
import { noteFigure } from './figures.ts'
import { openWire } from './wire.ts'

let app: TestApp
const people: Person[] = []
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'fatal', RATE_LIMIT_SCALE: '1' })
  for (let n = 0; n < rounds(4, 4, 20); n++) people.push(await person(app))
  // The two have a conversation, so their messages aren't limited as to a stranger.
  const [ana, ben] = [patient(), friend()]
  for (const [from, to] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    const wire = await openWire(app.url, from.token)
    await wire.ask('send_message', outgoing(from, to, 'Hello'))
    wire.close()
  }
})
afterAll(() => app.close())

const patient = () => people[0] as Person
const friend = () => people[1] as Person

/** Keeps messages below the limit of 120 a minute. */
const pauseMs = 700

/** Each round has a request, a health check and a message. */
const thingsInARound = 3

interface Healthy {
  rounds(count: number): Promise<void>
  stop(): Promise<number[]>
}

async function goOn(): Promise<Healthy> {
  const ana = patient()
  const wire = await openWire(app.url, ana.token)
  const took: number[] = []
  let done = false
  const timed = async (what: string, act: () => Promise<boolean>) => {
    const since = performance.now()
    if (!(await act())) throw new Error(`a healthy client was not served: ${what}`)
    took.push(performance.now() - since)
  }
  const round = async () => {
    await timed('http', async () => (await ana.call('GET /api/user/sessions')).status === 200)
    await timed('health', async () => (await fetch(`${app.url}/healthz`)).status === 200)
    const message = outgoing(ana, friend(), `Message ${took.length}`)
    const sent = () => wire.ask('send_message', message) as Promise<{ ok?: boolean } | undefined>
    await timed('message', async () => (await sent())?.ok === true)
  }
  const going = (async () => {
    while (!done) {
      await round()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  })()
  // The caller gets the error by awaiting `going`; until then it must not count as an unhandled rejection.
  going.catch(() => undefined)
  const rounds = async (count: number) => {
    const wanted = took.length + count * thingsInARound
    while (took.length < wanted) await Promise.race([going, new Promise((resolve) => setTimeout(resolve, 50))])
  }
  return {
    rounds,
    stop: async () => {
      await rounds(1)
      done = true
      await going
      wire.close()
      return took.sort((a, b) => a - b)
    },
  }
}

function tell(id: string, took: number[], what: string): void {
  const p99 = took[Math.floor(took.length * 0.99)] ?? 0
  noteFigure(id, Math.round(p99), `ms, p99 of what someone does as always while ${what}`)
}

const beginnings = [
  '',
  'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ',
  'POST /api/user/requestOtp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
]

/**
 * Sends 600 messages a second over one connection until it is cut off or the test ends. Returns whether it was cut off.
 */
async function flood(who: Person, isOver: () => boolean, told: Set<string>): Promise<boolean> {
  const socket: ClientSocket = io(app.url, {
    ...{ auth: { token: who.token }, transports: ['websocket'], reconnection: false, forceNew: true },
  })
  const opened = new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('connect_error', () => resolve(false))
    socket.io.once('close', () => resolve(false))
  })
  const heard = (ack: unknown) => (ack as { code?: string }).code === 'rate_limited' && told.add(who.id)
  const wasOpen = await opened
  while (socket.connected && !isOver()) {
    const message = outgoing(who, friend(), 'Flood')
    for (let n = 0; n < 60 && socket.connected; n++) socket.emit('send_message', message as never, heard as never)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  socket.disconnect()
  // Pause before reconnecting; an attacker still spends more time sending.
  if (!isOver()) await new Promise((resolve) => setTimeout(resolve, 100))
  return wasOpen && !isOver()
}

/** The length of the accept queue: the server never sees connections beyond it, so it couldn't cut them off. */
const dialledAtOnce = 200

/** Opens connections that send nothing, or never finish their headers or body. */
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

describe('a connection that sends meaningless frames', () => {
  const knock = '40/other,'

  async function open(token?: string): Promise<WebSocket> {
    const line = new WebSocket(`${app.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    onTestFinished(() => line.terminate())
    await once(line, 'message')
    if (!token) return line
    line.send(`40${JSON.stringify({ token })}`)
    await once(line, 'message')
    return line
  }

  /** Sends a frame repeatedly and returns whether the connection still responds. */
  async function survives(line: WebSocket, frame: string, times: number): Promise<boolean> {
    for (let n = 0; n < times; n++) line.send(frame)
    const closed = once(line, 'close').then(() => false)
    const answered = new Promise<boolean>((resolve) => {
      line.on('message', (data) => String(data).startsWith('44/last') && resolve(true))
    })
    line.send('40/last,')
    return Promise.race([closed, answered])
  }

  it.each([
    ['answers to nothing', '43999[]', true],
    ['heartbeats', '3', true],
    ['knocks at other doors', knock, true],
    ['heartbeats of no one', '3', false],
    ['knocks of no one at other doors', knock, false],
  ])('A connection that keeps sending meaningless frames is cut off: %s', async (_what, frame, isMember) => {
    const token = isMember ? friend().token : undefined
    const floods = () => app.platform.realtime.figures().cutOff.flood
    const before = floods()
    expect(await survives(await open(token), frame, 500)).toBe(true)
    expect(floods()).toBe(before)
    expect(await survives(await open(token), frame, 5_000)).toBe(false)
    expect(floods()).toBe(before + 1)
  })
})

describe('others', () => {
  it('Others are served while many connections are half open, and those are cut off.', {
    tags: ['long', 'more-in-release'],
  }, async () => {
    const count = rounds(200, 200, 2_000)
    const half = await openHalf(count)
    const healthy = await goOn()
    const until = performance.now() + 180_000
    const open = () => half.sockets.filter(({ destroyed }) => !destroyed).length
    while (open() > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 250))
    const left = open()
    half.stop()
    tell('T26.half_open_p99_ms', await healthy.stop(), `${count} connections are half open`)
    expect(left).toBe(0)
  })

  it('Others are served while some flood their connections and reconnect whenever they are cut off.', {
    tags: ['long', 'more-in-release'],
  }, async () => {
    const flooders = people.slice(2).flatMap((who) => Array.from({ length: rounds(5, 5, 20) }, () => who))
    const told = new Set<string>()
    const cut = new Set<Person>()
    let isOver = false
    const floods = flooders.map(async (who) => {
      while (!isOver) {
        const wasCut = await flood(who, () => isOver, told)
        if (wasCut) cut.add(who)
      }
    })
    const healthy = await goOn()
    // Doesn't measure time: it is enough that these are answered while the flood continues.
    await healthy.rounds(3)
    while (cut.size < people.length - 2) await new Promise((resolve) => setTimeout(resolve, 50))
    const took = await healthy.stop()
    isOver = true
    await Promise.all(floods)
    expect([...told].sort()).toEqual(
      people
        .slice(2)
        .map(({ id }) => id)
        .sort(),
    )
    tell('T15.flood_p99_ms', took, `${flooders.length} connections send 600 messages a second`)
  })

  it('Others are served while some send meaningless or oversized frames.', async () => {
    const healthy = await goOn()
    const ends: Promise<unknown>[] = []
    for (const frame of [
      ...['garbage', '42', '42[', '42{}', '42["send_message"', '0{"token":1}', '44', '9', '41', '2probe', ''],
      ...['451-["send_message",{"_placeholder":true,"num":0}]', '4599999999-["x",{"_placeholder":true,"num":0}]'],
      ...[`42["send_message",${'['.repeat(5_000)}${']'.repeat(5_000)}]`, `42["x","${'y'.repeat(70_000)}"]`],
      ...['42["__proto__",{}]', '42["disconnect"]', '42["connect_error"]', '42["newListener"]', '40/admin,', '40/../,'],
    ]) {
      const { socket } = await connect(app, friend())
      const engine = socket.io.engine
      ends.push(new Promise((resolve) => engine.once('close', resolve)))
      ;(engine as unknown as { transport: { ws: { send(data: string): void } } }).transport.ws.send(frame)
      setTimeout(() => socket.disconnect(), 500)
    }
    await Promise.all(ends)
    tell('T15.garbage_p99_ms', await healthy.stop(), 'some send garbage')
    const back = await connect(app, friend())
    expect(back.socket.connected).toBe(true)
  })

  it('Others are served while one person opens connections endlessly, of which twenty stay.', {
    tags: 'release',
  }, async () => {
    const healthy = await goOn()
    const who = people[3] as Person
    const opened = await Promise.allSettled(Array.from({ length: 300 }, () => connect(app, who)))
    expect(opened.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(20)
    tell('T15.connections_p99_ms', await healthy.stop(), 'one person opens 300 connections')
  })
})
