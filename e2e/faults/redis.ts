import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { freePort } from '../../tools/ports.ts'
import { standstillMs, until } from './until.ts'

export interface RedisServer {
  port: number
  start(): Promise<void>
  kill(): Promise<void>
  flush(): Promise<void>
}

async function command(port: number, ...words: string[]): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    socket.write(`${words.join(' ')}\r\n`)
    await once(socket, 'data')
  } finally {
    socket.destroy()
  }
}

// The shell kills Redis when its input closes, which also happens if this process is killed.
const withLifeline = 'redis-server "$@" & cat >/dev/null; kill -9 $!; wait'

export async function createRedis(): Promise<RedisServer> {
  const port = await freePort()
  let child: ChildProcess | undefined
  return {
    port,
    async start() {
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp']
      child = spawn('/bin/sh', ['-c', withLifeline, 'sh', ...args], { stdio: ['pipe', 'ignore', 'ignore'] })
      const answers = () =>
        command(port, 'PING').then(
          () => true,
          () => false,
        )
      if (!(await until(answers, standstillMs))) throw new Error('redis-server did not start in time')
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.stdin?.end()
      await ended
    },
    flush: () => command(port, 'FLUSHALL'),
  }
}
