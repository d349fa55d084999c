import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { freePort } from '../tools/ports.ts'
import { type Duet, nextCode, serverFile } from '../tools/server.ts'
import { isQuick } from '../tools/size.ts'
import { expect, test } from './fixtures.ts'
import { someone } from './people.ts'

interface Run {
  child: ChildProcess
  output(): string
}

function start(environment: Record<string, string>): Run {
  const chunks: Buffer[] = []
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, DEMO: 'off', RATE_LIMIT_SCALE: '1000', LOG_LEVEL: 'warn', ...environment }
  const child = spawn(process.execPath, [serverFile], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout?.on('data', (chunk) => chunks.push(chunk))
  child.stderr?.on('data', (chunk) => chunks.push(chunk))
  return { child, output: () => Buffer.concat(chunks).toString() }
}

async function untilReady(url: string, { child, output }: Run): Promise<void> {
  for (let tries = 0; tries < 4_800; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${output()}`)
    if ((await fetch(`${url}/readyz`).catch(() => undefined))?.ok) return
    await sleep(50)
  }
  throw new Error(`the server does not get ready: ${output()}`)
}

/** Every process below this one, and this one. */
function familyOf(pid: number): number[] {
  const children = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
  return [pid, ...children.flatMap(([child]) => familyOf(child as number))]
}

/** Ends every one of them at once, whatever they are doing. */
function killAll(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // A connection of the database may have ended since they were counted.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

async function endOf({ child, output }: Run): Promise<{ code: number | null; output: string }> {
  if (child.exitCode === null) await once(child, 'exit')
  return { code: child.exitCode, output: output() }
}

test('killing everything at once and starting again loses nothing that was acknowledged', async () => {
  test.skip(isQuick)
  const dataDir = mkdtempSync(join(tmpdir(), 'duet-killed-'))
  const port = await freePort()
  const baseURL = `http://localhost:${port}`
  const environment = { PORT: String(port), DATA_DIR: dataDir }
  const seen = new Set<string>()
  const duet: Duet = {
    baseURL,
    dataDir,
    stop: async () => {},
    outbox: (email) => nextCode(join(dataDir, 'outbox'), email, seen),
  }
  let run = start(environment)
  try {
    await untilReady(baseURL, run)
    const [ana, ben] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) {
      const socket = io(baseURL, { auth: { token: ana.token }, forceNew: true, reconnection: false })
      await once(socket as never, 'connect')
      const sending = Array.from({ length: 200 }, async (_, n) => {
        const id = randomUUID()
        const ack = await socket.emitWithAck('send_message', {
          id,
          message: `${round} ${n}`,
          senderId: ana.id,
          receiverId: ben.id,
        })
        if (ack.ok) acknowledged.push(id)
      })
      void Promise.allSettled(sending)
      await expect.poll(() => acknowledged.length, { intervals: [5] }).toBeGreaterThan(20 + round * 40)
      killAll(familyOf(run.child.pid as number))
      socket.disconnect()
      run = start(environment)
      await untilReady(baseURL, run)
    }
    const kept: { id: string; seq: number }[] = []
    for (let after = 0, more = true; more; after = kept.at(-1)?.seq ?? 0) {
      const url = `${baseURL}/api/conversations/${ben.id}/messages?limit=100&after=${after}`
      const page = await (await fetch(url, { headers: { authorization: `Bearer ${ana.token}` } })).json()
      kept.push(...page.messages)
      more = page.hasMore
    }
    const ids = kept.map(({ id }) => id)
    expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index + 1))
  } finally {
    run.child.kill('SIGTERM')
    await endOf(run)
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('Ctrl-C stops the server and its database', async () => {
  test.skip(isQuick)
  const dataDir = mkdtempSync(join(tmpdir(), 'duet-stopped-'))
  const port = await freePort()
  const run = start({ PORT: String(port), DATA_DIR: dataDir })
  await untilReady(`http://localhost:${port}`, run)
  const family = familyOf(run.child.pid as number)
  expect(family.length).toBeGreaterThan(1)
  run.child.kill('SIGINT')
  await endOf(run)
  const alive = family.filter((pid) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  })
  expect(alive).toEqual([])
  rmSync(dataDir, { recursive: true, force: true })
})

test('what cannot work is said in one line each, and the start fails', async () => {
  test.skip(isQuick)
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const dataDir = mkdtempSync(join(tmpdir(), 'duet-refused-'))
  const inUse = await endOf(start({ PORT: String(port), DATA_DIR: dataDir }))
  expect(inUse.code).toBe(1)
  expect(inUse.output.trim()).toBe(`PORT: ${port} is in use; stop what uses it or set another PORT`)
  const wrong = await endOf(start({ PORT: 'http', DEMO: 'maybe', DATA_DIR: dataDir }))
  expect(wrong.code).toBe(1)
  expect(
    wrong.output
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0]),
  ).toEqual(['PORT', 'DEMO'])
  const gone = await endOf(start({ DATABASE_URL: 'postgres://no-one@127.0.0.1:1/none', DATA_DIR: dataDir }))
  expect(gone.output.trim().split('\n').at(-1)).toBe('DATABASE_URL: the database cannot be reached (ECONNREFUSED)')
  taken.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a second server on the same data says that the first one is running', async ({ duet }) => {
  test.skip(isQuick)
  const second = await endOf(start({ PORT: String(await freePort()), DATA_DIR: duet.dataDir }))
  expect(second.code).toBe(1)
  expect(second.output.trim().split('\n')).toHaveLength(1)
})
