import { afterEach, expect, test, vi } from 'vitest'
import { connect, disconnect, getSocket } from './socket.ts'

afterEach(() => {
  disconnect()
  vi.restoreAllMocks()
})

test('the connection uses the settings from the specification', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { io, auth } = connect('a token')
  expect(auth).toEqual({ token: 'a token' })
  expect(io.opts.path).toBe('/socket.io')
  expect(io.reconnection()).toBe(true)
  expect(io.reconnectionAttempts()).toBe(Number.POSITIVE_INFINITY)
  expect(io.reconnectionDelay()).toBe(1000)
  expect(io.reconnectionDelayMax()).toBe(5000)
  expect(io.randomizationFactor()).toBe(0.5)
  expect(io.timeout()).toBe(20_000)
})

test('disconnecting closes the connection for good', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const socket = connect('a token')
  disconnect()
  expect(getSocket()).toBeNull()
  expect(socket.active).toBe(false)
})

test('losing the network closes the connection immediately', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const socket = connect('a token')
  const closes = vi.spyOn(socket.io.engine, 'close')
  const loseNetwork = () => window.dispatchEvent(new Event('offline'))
  loseNetwork()
  expect(closes).not.toHaveBeenCalled()
  socket.connected = true
  loseNetwork()
  expect(closes).toHaveBeenCalledTimes(1)
})

const names = (transports: unknown) =>
  (transports as { prototype: { name: string } }[]).map(({ prototype }) => prototype.name)

test('long polling is tried first after a WebSocket fails, until long polling fails too', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { io } = connect('a token')
  const fail = () => Reflect.apply(Reflect.get(io, 'emitReserved'), io, ['error', new Error('refused')])
  expect(names(io.opts.transports)).toEqual(['websocket', 'polling'])
  fail()
  expect(names(io.opts.transports)).toEqual(['polling', 'websocket'])
  fail()
  expect(names(io.opts.transports)).toEqual(['websocket', 'polling'])
})
