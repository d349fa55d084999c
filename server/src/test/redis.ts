import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { freePort } from '../../../tools/ports.ts'

export const hasRedis = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0

export interface TestRedis {
  url: string
  run(...command: [string, ...string[]]): Promise<unknown>
  publish(channel: string, text: string): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export async function createTestRedis(): Promise<TestRedis> {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const endAtOnce = () => child?.kill('SIGKILL')
  process.once('exit', endAtOnce)
  async function run(...command: [string, ...string[]]): Promise<unknown> {
    const client = new Redis(url)
    const answer = await client.call(...command)
    await client.quit()
    return answer
  }
  return {
    ...{ url, run },
    publish: async (channel, text) => void (await run('PUBLISH', channel, text)),
    signal: (name) => void child?.kill(name),
    kill,
    async start() {
      const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
      child = spawn('redis-server', options, { stdio: 'ignore' })
      const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 })
      client.on('error', () => undefined)
      await client.ping()
      await client.quit()
    },
    async stop() {
      process.off('exit', endAtOnce)
      await kill()
    },
  }
}

/** Starts a proxy to a Redis that delays the data by `ms` in each direction. */
export async function farther(url: string, ms: number): Promise<string> {
  const { hostname, port } = new URL(url)
  const line = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => void setTimeout(() => to.write(bytes), ms))
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  })
  await once(line.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    line.close()
  })
  return `redis://127.0.0.1:${(line.address() as AddressInfo).port}`
}
