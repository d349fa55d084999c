import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Either connects with these tokens, spread over the ports, or reports the state after a request on every `every`th
 * line.
 */
export type IdleRequest = { tokens: string[]; ports: number[] } | { every: number }

export interface IdleAnswer {
  connected: number
  closed: number
  /** Counts of received packets, by how they begin. */
  heard: Record<string, number>
  asked: number
  answered: number
}

/** Many people who are connected and silent. */
export interface IdleCrowd {
  ask(request: IdleRequest): Promise<IdleAnswer>
  stop(): void
}

const program = join(dirname(fileURLToPath(import.meta.url)), 'idle.process.ts')

/** Starts the silent people's process, which handles one request at a time and ends with this process. */
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
