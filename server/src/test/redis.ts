import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { freePort } from '../../../tools/ports.ts'

export const hasRedis = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0

export interface TestRedis {
  url: string
  /** Runs one command on a connection of its own. */
  run(...command: [string, ...string[]]): Promise<unknown>
  /** Lets it hang, or go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Kills it outright. */
  kill(): Promise<void>
  /** Starts it again, empty, at the same address. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** A Redis of one's own that keeps nothing; it does not run yet. */
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
  return {
    url,
    async run(...command) {
      const client = new Redis(url)
      const answer = await client.call(...command)
      await client.quit()
      return answer
    },
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
