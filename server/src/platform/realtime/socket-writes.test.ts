import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Socket as Device, Server } from 'socket.io'
import { io as connectClient } from 'socket.io-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeOnceATurn } from './socket-writes.ts'

interface Pair {
  there: Device
  here: ReturnType<typeof connectClient>
  heard: unknown[]
}

async function connected(transports = ['websocket']): Promise<Pair> {
  const http = createServer()
  const io = new Server(http, { perMessageDeflate: false })
  writeOnceATurn(io)
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const arrival = once(io, 'connection') as Promise<[Device]>
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const here = connectClient(url, { transports, forceNew: true, reconnection: false })
  onTestFinished(async () => {
    here.close()
    await io.close()
  })
  const heard: unknown[] = []
  here.on('said', (what) => heard.push(what))
  const [[there]] = await Promise.all([arrival, once(here as never, 'connect')])
  return { there, here, heard }
}

function countWrites(there: Device) {
  const { transport } = there.conn as unknown as { transport: { socket: { _socket: { write(): boolean } } } }
  return vi.spyOn(transport.socket._socket, 'write')
}

describe('Messages sent in one turn of the event loop', () => {
  it('Messages sent in one turn share one write and keep their order', async () => {
    const { there, heard } = await connected()
    const writes = countWrites(there)
    for (let n = 1; n <= 20; n++) there.emit('said', n)
    await expect.poll(() => heard.length).toBe(20)
    expect(heard).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(writes).toHaveBeenCalledTimes(1)
  })

  it('Messages of any length and script arrive intact', async () => {
    const { there, heard } = await connected()
    const texts = [0, 100, 110, 111, 112, 125, 126, 127, 200, 65_500, 65_535, 65_536, 90_000].flatMap((length) => [
      'a'.repeat(length),
      'é'.repeat(length / 2),
      '💌'.repeat(length / 4),
    ])
    for (const text of texts) there.emit('said', text)
    await expect.poll(() => heard.length).toBe(texts.length)
    expect(heard).toEqual(texts)
  })

  it('Messages around binary data keep their order', async () => {
    const { there, heard } = await connected()
    there.emit('said', 'before')
    there.emit('said', Buffer.from('bytes'))
    there.emit('said', 'after')
    await expect.poll(() => heard.length).toBe(3)
    expect([heard[0], heard[2]]).toEqual(['before', 'after'])
  })

  it('A message arrives before the connection closes in the same turn', async () => {
    const { there, here, heard } = await connected()
    const closed = once(here as never, 'disconnect')
    there.emit('said', 'goodbye')
    there.conn.close()
    await closed
    expect(heard).toEqual(['goodbye'])
  })

  it('Messages arrive over long polling and during the upgrade to a WebSocket', async () => {
    const { there, here, heard } = await connected(['polling', 'websocket'])
    let sent = 0
    const sending = setInterval(() => there.emit('said', ++sent), 1)
    await expect.poll(() => here.io.engine.transport.name).toBe('websocket')
    await expect.poll(() => heard.length).toBeGreaterThan(20)
    clearInterval(sending)
    await expect.poll(() => heard.length).toBe(sent)
    expect(heard).toEqual(Array.from({ length: sent }, (_, n) => n + 1))
  })
})
