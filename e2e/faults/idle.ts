import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Either connects with these tokens, spread over the ports, or sends a request on every `every`th connection and
 * reports.
 */
export type IdleRequest = { tokens: string[]; ports: number[] } | { every: number }

export interface IdleAnswer {
  connected: number
  closed: number
  /** Counts of received packets, keyed by their first characters. */
  heard: Record<string, number>
  asked: number
  answered: number
}

export interface IdleCrowd {
  ask(request: IdleRequest): Promise<IdleAnswer>
  stop(): void
}

const program = join(dirname(fileURLToPath(import.meta.url)), 'idle.process.ts')

/** Starts a process for the idle people. It handles one request at a time and ends with this process. */
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
