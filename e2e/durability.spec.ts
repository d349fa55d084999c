import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { io } from 'socket.io-client'
import { startPushService } from '../server/src/test/push-service.ts'
import { freePort } from '../tools/ports.ts'
import { type Duet, nextCode, serverFile } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { browserOf, type Someone, say, someone } from './people.ts'

// No retries: a passing second attempt would hide a lost message.
test.describe.configure({ retries: 0 })

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
  throw new Error(`the server was not ready in time: ${output()}`)
}

function familyOf(pid: number): number[] {
  const children = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
  return [pid, ...children.flatMap(([child]) => familyOf(child as number))]
}

function killAll(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

async function endOf({ child, output }: Run): Promise<{ code: number | null; output: string }> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { code: child.exitCode, output: output() }
}

/** A data folder and a port that stay the same while the server restarts. */
async function place(): Promise<{ duet: Duet; environment: Record<string, string> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'duet-killed-'))
  const port = await freePort()
  const seen = new Set<string>()
  const outbox = (email: string) => nextCode(join(dataDir, 'outbox'), email, seen)
  const duet = { baseURL: `http://localhost:${port}`, dataDir, stop: async () => {}, outbox }
  return { duet, environment: { PORT: String(port), DATA_DIR: dataDir } }
}

test('killing all processes and restarting loses nothing that was acknowledged', {
  tag: '@long',
}, async () => {
  const { duet, environment } = await place()
  const { baseURL } = duet
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
    rmSync(duet.dataDir, { recursive: true, force: true })
  }
})

const boxOf = (page: Page) => page.getByRole('textbox', { name: /message/i }).first()

/** Types a message and presses Enter. Without a connection the text stays in the message box. */
async function write(page: Page, text: string): Promise<void> {
  await boxOf(page).fill(text)
  await boxOf(page).press('Enter')
}

async function goOn(page: Page): Promise<void> {
  const left = async () => {
    if (await boxOf(page).inputValue()) await boxOf(page).press('Enter')
    return boxOf(page).inputValue()
  }
  await expect.poll(left).toBe('')
}

test('with the service worker, messages written during repeated crashes arrive exactly once', {
  tag: '@long',
}, async ({ browser }) => {
  const { duet, environment } = await place()
  const { baseURL } = duet
  let run = start(environment)
  try {
    await untilReady(baseURL, run)
    const [ana, ben] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
    const open = async (me: Someone, other: Someone) => {
      const page = await browserOf(browser, duet, me, { serviceWorkers: 'allow' })
      await page.goto(`/chat/${other.id}`)
      await page.evaluate(async () => void (await navigator.serviceWorker.ready))
      return page
    }
    let [anas, bens] = [await open(ana, ben), await open(ben, ana)]
    const texts: string[] = []
    const both = (text: (name: string) => string) =>
      Promise.all(
        [anas, bens].map((page, index) => {
          const own = text(index === 0 ? 'Ana' : 'Ben')
          texts.push(own)
          return write(page, own)
        }),
      )
    for (const round of ['one', 'two', 'three']) {
      for (const n of [1, 2, 3]) {
        await both((name) => `${name} ${round} ${n}`)
        await Promise.all([goOn(anas), goOn(bens)])
      }
      killAll(familyOf(run.child.pid as number))
      await both((name) => `${name} ${round} as it dies`)
      // While the server is down, reload one page, and close another and open a new one.
      await bens.reload()
      const context = anas.context()
      await anas.close()
      anas = await context.newPage()
      await anas.goto(`/chat/${ben.id}`)
      run = start(environment)
      await untilReady(baseURL, run)
      await Promise.all([goOn(anas), goOn(bens)])
    }
    const url = `${baseURL}/api/conversations/${ben.id}/messages?limit=100&after=0`
    const kept = async () => {
      const answer = await (await fetch(url, { headers: { authorization: `Bearer ${ana.token}` } })).json()
      return (answer.messages as { message: string }[]).map(({ message }) => message).sort()
    }
    await expect.poll(kept).toEqual([...texts].sort())
    const scrollToEnd = (log: HTMLElement) => log.scrollTo(0, log.scrollHeight)
    for (const page of [anas, bens]) {
      const log = page.getByRole('log')
      for (const text of texts.filter((one) => one.includes('three')))
        await expect
          .poll(() => log.evaluate(scrollToEnd).then(() => log.getByText(text, { exact: true }).count()), text)
          .toBe(1)
    }
    for (const page of [anas, bens]) await page.context().close()
  } finally {
    run.child.kill('SIGTERM')
    await endOf(run)
    rmSync(duet.dataDir, { recursive: true, force: true })
  }
})

test('a push that was pending when the server was killed is sent once after the restart', {
  tag: '@long',
}, async () => {
  const service = await startPushService()
  const { duet, environment: own } = await place()
  const { baseURL, dataDir } = duet
  const certificate = join(dataDir, 'ca.pem')
  writeFileSync(certificate, service.certificate)
  const environment = { ...own, PUSH_HOSTS: 'localhost', NODE_EXTRA_CA_CERTS: certificate }
  let run = start(environment)
  try {
    await untilReady(baseURL, run)
    const [ana, ben, cem] = [await someone(duet, 'Ana'), await someone(duet, 'Ben'), await someone(duet, 'Cem')]
    const { received, subscription } = service.newBrowser()
    const subscribed = await fetch(`${baseURL}/api/push/subscription`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...subscription, timeZone: 'UTC' }),
    })
    expect(subscribed.ok).toBe(true)
    await say(duet, ben, ana, 'Before the end')
    killAll(familyOf(run.child.pid as number))
    expect(received).toEqual([])
    run = start(environment)
    await untilReady(baseURL, run)
    await expect.poll(() => received.length).toBe(1)
    await say(duet, cem, ana, 'After it')
    await expect.poll(() => received.length).toBe(2)
    expect(received.map(({ message }) => message.link)).toEqual([`/chat/${ben.id}`, `/chat/${cem.id}`])
  } finally {
    run.child.kill('SIGTERM')
    await endOf(run)
    await service.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('Ctrl-C stops the server and its database', { tag: '@long' }, async () => {
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

test("a setting that can't work is reported in one line, and the server doesn't start", { tag: '@long' }, async () => {
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

test('a second server on the same data reports that the first one is running', { tag: '@long' }, async ({ duet }) => {
  const second = await endOf(start({ PORT: String(await freePort()), DATA_DIR: duet.dataDir }))
  expect(second.code).toBe(1)
  expect(second.output.trim().split('\n')).toHaveLength(1)
})
