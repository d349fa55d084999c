import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** The core of the servers under test. The database and the load share the second core. */
const serverCore = '0'
const loadCore = '1'

export const canPin = cpus().length > 1 && spawnSync('taskset', ['--version']).status === 0

/** Moves this process, and every process that it starts later, to the load's core. */
export function stayOnLoadCore(): void {
  if (canPin) execFileSync('taskset', ['-a', '-c', '-p', loadCore, String(process.pid)], { stdio: 'ignore' })
}

/** Starts a Node program on the servers' core. The program ends with this process. */
export function startPinned(args: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const command = [process.execPath, ...args]
  const [program, ...rest] = canPin ? ['taskset', '-c', serverCore, ...command] : command
  return spawn(program as string, rest, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env })
}

/** Returns `none` if the process or thread to read about has ended in the meantime. */
function unlessEnded<T>(read: () => T, none: T): T {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return none
    throw error
  }
}

/**
 * The CPU time that a process has used, in ms; 0 once it has ended. Read from the scheduler's nanosecond counters
 * (Linux, Documentation/scheduler/sched-stats.rst) because the usual 10 ms ticks are as long as a hundred requests.
 * Threads that have ended aren't included.
 */
export function cpuMsOf(pid: number): number {
  const folder = `/proc/${pid}/task`
  return unlessEnded(() => readdirSync(folder), []).reduce((sum, thread) => {
    const [onCpu] = unlessEnded(() => readFileSync(`${folder}/${thread}/schedstat`, 'latin1'), '0').split(' ')
    return sum + Number(onCpu) / 1e6
  }, 0)
}
