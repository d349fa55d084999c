import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { listenForEnds } from './session.ts'

async function gate() {
  const { host, user } = inject('postgres')
  const open = new Set<Socket>()
  const way = { isOpen: true, came: 0 }
  const server = createServer((client) => {
    way.came++
    if (!way.isOpen) return void client.destroy()
    const database = connect(join(host, '.s.PGSQL.5432'))
    for (const socket of [client, database]) {
      open.add(socket)
      socket.on('error', () => undefined).on('close', () => [client, database].map((other) => other.destroy()))
    }
    client.pipe(database).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const { port } = server.address() as { port: number }
  const close = () => {
    way.isOpen = false
    for (const socket of open) socket.destroy()
  }
  return { way, close, owner: { host: '127.0.0.1', port, user, database: 'postgres' } }
}

it('During a database outage one reconnect a second is tried, and afterwards one listener hears of ended sessions', {
  tags: 'long',
}, async () => {
  const { way, close, owner } = await gate()
  const ended: string[] = []
  let sweeps = 0
  const stop = await listenForEnds(owner, {
    sessions: { find: async () => undefined, forget: () => undefined },
    realtime: { endSession: (id) => void ended.push(id) },
    log: { warn: () => undefined },
    sweep: async () => void sweeps++,
  })
  close()
  way.came = 0
  const since = performance.now()
  await expect.poll(() => way.came).toBeGreaterThanOrEqual(4)
  expect(way.came).toBeLessThanOrEqual(1 + (performance.now() - since) / 990)
  way.isOpen = true
  await expect.poll(() => sweeps).toBe(1)
  // Long enough for any other pending attempt to have started listening.
  await sleep(1_500)
  const client = new pg.Client({ host: inject('postgres').host, user: owner.user, database: 'postgres' })
  await client.connect()
  await client.query(`select pg_notify('session_ended', 'the one')`)
  await expect.poll(() => ended).toEqual(['the one'])
  const { rows } = await client.query(
    `select count(*)::int as listeners from pg_stat_activity where query = 'listen session_ended' and datname = 'postgres'`,
  )
  await client.end()
  await stop()
  expect(rows[0].listeners).toBe(1)
  expect(sweeps).toBe(1)
})
