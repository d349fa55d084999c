import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { AppError } from '../errors.ts'
import { childEnvironment } from '../process/child-environment.ts'

export interface DecoderTask {
  decoder: string
  bytes: Buffer
  options?: unknown
}

export type DecoderAnswer =
  | { made: unknown }
  | { refused: Pick<AppError, 'code' | 'message' | 'errors'> }
  | { fault: string }

export type DecoderOutcome = DecoderAnswer | 'too slow' | 'crashed'

export interface DecoderLimits {
  /** CPU time after which the process is killed and the file rejected. */
  cpuMs: number
  /** The same limit in wall-clock time, because a busy machine may give the process little CPU. */
  deadlineMs: number
  /** CPU time after which the process gets a lower priority. */
  patienceMs: number
}

export interface Decoder {
  isFit(): boolean
  decode(task: DecoderTask): Promise<DecoderOutcome>
  kill(): Promise<void>
}

const slowNiceness = 10
const lookEveryMs = 100

function findCpuMs({ pid }: ChildProcess): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    // Linux reports hundredths of a second.
    return ((user ?? 0) + (system ?? 0)) * 10
  } catch {
    return undefined
  }
}

function slowDown({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, slowNiceness)
  } catch {
    // The process has just exited, or the system doesn't allow this.
  }
}

function watchCost(child: ChildProcess, limits: DecoderLimits, onSlow: () => void, giveUp: () => void): () => void {
  const since = performance.now()
  const before = findCpuMs(child)
  const timer = setInterval(() => {
    const elapsed = performance.now() - since
    const now = findCpuMs(child)
    const used = before === undefined || now === undefined ? elapsed : now - before
    if (used > limits.cpuMs || elapsed > limits.deadlineMs) {
      clearInterval(timer)
      giveUp()
    } else if (used > limits.patienceMs) onSlow()
  }, lookEveryMs)
  return () => clearInterval(timer)
}

function decodeIn(
  child: ChildProcess,
  task: DecoderTask,
  limits: DecoderLimits,
  onSlow: () => void,
): Promise<DecoderOutcome> {
  return new Promise((resolve) => {
    let isTooSlow = false
    const stop = watchCost(child, limits, onSlow, () => {
      isTooSlow = true
      child.kill('SIGKILL')
    })
    const settle = (outcome: DecoderOutcome) => {
      stop()
      child.off('message', onMessage).off('exit', onExit)
      resolve(outcome)
    }
    const onMessage = (answer: unknown) => settle(answer as DecoderAnswer)
    const onExit = () => settle(isTooSlow ? 'too slow' : 'crashed')
    child.once('message', onMessage).once('exit', onExit)
    if (!child.connected) return onExit()
    child.send(task, (error) => error && child.kill('SIGKILL'))
  })
}

export function startDecoder(program: string, limits: DecoderLimits): Decoder {
  const child = fork(program, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: program.endsWith('.ts') ? ['--import', 'tsx'] : [],
    // Fewer malloc arenas, so that freed memory returns to the system.
    env: { ...childEnvironment(), MALLOC_ARENA_MAX: '2' },
  })
  child.on('error', () => child.kill('SIGKILL'))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // If the process fails to start, that must not count against the person who sent the file.
  const ready = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error('a decoder process ended before it was ready')))
  })
  ready.catch(() => undefined)
  // Most systems don't let us raise a priority again, so a process with lowered priority isn't reused.
  let isSlow = false
  return {
    isFit: () => !isSlow && child.exitCode === null && child.signalCode === null && child.connected,
    decode: async (task) => {
      await ready
      return decodeIn(child, task, limits, () => {
        if (!isSlow) slowDown(child)
        isSlow = true
      })
    },
    kill: () => {
      child.kill('SIGKILL')
      return ended
    },
  }
}
