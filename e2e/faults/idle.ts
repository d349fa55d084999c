import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Connect with these tokens, in turn to these ports; or tell how it is, and ask something on every so manieth line. */
export type IdleRequest = { tokens: string[]; ports: number[] } | { every: number }

export interface IdleAnswer {
  connected: number
  /** Connections that broke. */
  closed: number
  /** How many packets came, by how they begin. */
  heard: Record<string, number>
  asked: number
  answered: number
}

/** Many who are connected and silent. */
export interface IdleCrowd {
  ask(request: IdleRequest): Promise<IdleAnswer>
  stop(): void
}

const program = join(dirname(fileURLToPath(import.meta.url)), 'idle.process.ts')

/** Starts the process of the silent ones; one question at a time. It ends when this process is gone. */
export function startIdleCrowd(): IdleCrowd {
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return {
    async ask(request) {
      child.send(request)
      const ended = once(child, 'exit').then(() => [{ error: 'the silent crowd has ended' }])
      const [answer] = (await Promise.race([once(child, 'message'), ended])) as [IdleAnswer & { error?: string }]
      if (answer.error !== undefined) throw new Error(answer.error)
      return answer
    },
    stop: () => void child.kill('SIGKILL'),
  }
}
