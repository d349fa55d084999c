import { setTimeout as sleep } from 'node:timers/promises'
import { Namespace } from 'socket.io'
import { afterAll, beforeAll, describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const someone = async () => (await people(app, 1))[0] as Person
const open = () => app.platform.realtime.figures().connections

async function lineTo(url: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  onTestFinished(() => socket.terminate())
  const heard: string[] = []
  socket.on('message', (data) => {
    if (String(data) === '2') socket.send('3')
    else heard.push(String(data))
  })
  await expect.poll(() => heard.length).toBe(1)
  return {
    heard,
    say: (text: string) => socket.send(text),
    leave: () => socket.terminate(),
    isOpen: () => socket.readyState === WebSocket.OPEN,
  }
}
const signIn = ({ token }: Person) => `40${JSON.stringify({ token })}`

describe('A connection', () => {
  it.each([
    ['leaves and rejoins', ['41'], 'known'],
    ['joins twice together', [], 'known'],
    ['joins again as someone else', [], 'other'],
  ] as const)('A connection that %s is closed, and the server keeps working', async (_does, between, second) => {
    const faults: unknown[] = []
    const note = (fault: unknown) => faults.push(fault)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const [ana, ben] = [await someone(), await someone()]
    const line = await lineTo(app.url)
    line.say(signIn(ana))
    if (between.length > 0) await expect.poll(() => line.heard.some((text) => text.startsWith('40'))).toBe(true)
    for (const text of between) line.say(text)
    await sleep(between.length * 50)
    line.say(signIn(second === 'known' ? ana : ben))
    await expect.poll(line.isOpen).toBe(false)
    expect(faults).toEqual([])
    expect((await connect(app, ben)).socket.connected).toBe(true)
  })

  it('A rejected connection leaves nothing in memory', async () => {
    const waiting = vi.spyOn(Namespace.prototype as never, '_add' as never) as unknown as MockInstance
    onTestFinished(() => waiting.mockRestore())
    const newcomer = await someone()
    const { sessions } = app.platform
    const { find } = sessions
    onTestFinished(() => void Object.assign(sessions, { find }))
    const gone = async () => {
      const line = await lineTo(app.url)
      line.say(signIn(newcomer))
      return line
    }
    sessions.find = () => Promise.reject(new Error('the database is away'))
    const cut = await gone()
    await expect.poll(cut.isOpen).toBe(false)
    let answer: (() => void) | undefined
    sessions.find = async (token) => {
      sessions.find = find
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return find(token)
    }
    const before = open()
    const left = await gone()
    await expect.poll(() => answer).toBeDefined()
    left.leave()
    await expect.poll(open).toBe(before)
    answer?.()
    const kept = () =>
      (waiting.mock.contexts[0] as { _preConnectSockets: Map<string, unknown> })._preConnectSockets.size
    await expect.poll(kept).toBe(0)
  })

  it('A connection is refused if its session ends during the handshake', async () => {
    const [ana] = [await someone()]
    const { sessions } = app.platform
    const { find } = sessions
    onTestFinished(() => void Object.assign(sessions, { find }))
    sessions.find = async (token) => {
      const viewer = await find(token)
      sessions.find = find
      await ana.call('POST /api/user/signOut')
      return viewer
    }
    await expect(connect(app, ana)).rejects.toThrow('unauthenticated')
  })

  it('A connection counts against its person before it is admitted', async () => {
    const ana = await someone()
    const lines = await Promise.all(Array.from({ length: 25 }, () => lineTo(app.url)))
    for (const line of lines) line.say(signIn(ana))
    const answers = () => lines.map(({ heard }) => heard[1]?.slice(0, 2)).sort()
    await expect.poll(answers).toEqual([...Array(20).fill('40'), ...Array(5).fill('44')])
    for (const line of lines) line.leave()
  })

  it('A connection ends with its socket or session, whatever the order of its packets', async () => {
    const [ana, ben, eve] = await people(app, 3)
    const packets = { join: (person: Person) => signIn(person), leave: () => '41', stray: () => '40/elsewhere,' }
    const names = Object.keys(packets) as (keyof typeof packets)[]
    const orders = names.flatMap((a) => names.flatMap((b) => names.map((c) => [a, b, c] as const)))
    const before = open()
    const lines = await Promise.all(
      orders.map(async (order, n) => {
        const line = await lineTo(app.url)
        for (const name of order) {
          const { length } = line.heard
          line.say(packets[name]([ana, ben, eve][n % 3] as Person))
          await expect.poll(() => line.heard.length > length || !line.isOpen()).toBe(true)
        }
        return { ...line, order }
      }),
    )
    for (const person of [ana, ben, eve]) await person?.call('POST /api/user/signOutEverywhere')
    const left = () => lines.filter(({ isOpen }) => isOpen())
    await expect.poll(() => open() - before - left().length).toBe(0)
    // A connection that hasn't authenticated stays open for ten seconds.
    await expect.poll(() => left().filter(({ order }) => order.some((name) => name !== 'stray'))).toEqual([])
    for (const line of lines) line.leave()
  })
})
