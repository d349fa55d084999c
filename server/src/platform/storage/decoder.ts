import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { AppError } from '../errors.ts'
import { childEnvironment } from '../process/child-environment.ts'

/** What a decoder process is asked: which decoder, and the bytes of one file. */
export interface DecoderTask {
  decoder: string
  bytes: Buffer
  options?: unknown
}

/** What it answers: what it made, a refusal in words for the sender, or a fault of ours. */
export type DecoderAnswer =
  | { made: unknown }
  | { refused: Pick<AppError, 'code' | 'message' | 'errors'> }
  | { fault: string }

/** The answer, or why there is none. */
export type DecoderOutcome = DecoderAnswer | 'too slow' | 'crashed'

/** How much work one file may cause, in milliseconds. */
export interface DecoderLimits {
  /** CPU time after which a file is given up and its process killed. */
  cpuMs: number
  /** The same in time on the clock, for a machine that is busy with other things. */
  deadlineMs: number
  /** CPU time after which a file gives way to everything else. */
  patienceMs: number
}

/** A process that decodes one file at a time. */
export interface Decoder {
  /** Whether it can take another file. */
  isFit(): boolean
  decode(task: DecoderTask): Promise<DecoderOutcome>
  kill(): Promise<void>
}

const slowNiceness = 10
const lookEveryMs = 100

/** CPU time of a process; undefined where the system does not tell, or it has just ended. */
function findCpuMs({ pid }: ChildProcess): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    // In hundredths of a second on every Linux.
    return ((user ?? 0) + (system ?? 0)) * 10
  } catch {
    return undefined
  }
}

function slowDown({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, slowNiceness)
  } catch {
    // It has just ended, or this system does not let us.
  }
}

/** Looks after one file: calls `onSlow`, and `giveUp` once when it has cost too much. Returns how to stop. */
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

/** Starts a process that decodes, from `program`. It ends with this one. */
export function startDecoder(program: string, limits: DecoderLimits): Decoder {
  const child = fork(program, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: program.endsWith('.ts') ? ['--import', 'tsx'] : [],
    // Few arenas: memory that was freed goes back.
    env: { ...childEnvironment(), MALLOC_ARENA_MAX: '2' },
  })
  child.on('error', () => child.kill('SIGKILL'))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // Its start is no sender's doing.
  const ready = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error('a decoder process ended before it was ready')))
  })
  ready.catch(() => undefined)
  // Most systems let us lower a priority and not raise it again.
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
