import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Servers under test run on the first core; the database and the load on the second. */
const serverCore = '0'
const loadCore = '1'

/** Whether processes can be kept on one core here. */
export const canPin = cpus().length > 1 && spawnSync('taskset', ['--version']).status === 0

/** Keeps this process, and all that it starts, on the core of the load. */
export function stayOnLoadCore(): void {
  if (canPin) execFileSync('taskset', ['-a', '-c', '-p', loadCore, String(process.pid)], { stdio: 'ignore' })
}

/** Starts a Node program on the servers' core. It ends when this process is gone. */
export function startPinned(args: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const command = [process.execPath, ...args]
  const [program, ...rest] = canPin ? ['taskset', '-c', serverCore, ...command] : command
  return spawn(program as string, rest, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env })
}

/** What `read` gives; `none` when the process or thread has ended meanwhile. */
function unlessEnded<T>(read: () => T, none: T): T {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return none
    throw error
  }
}

/**
 * The CPU time a process has used, in ms: it does not depend on what else runs on the machine. 0 once it has ended. From
 * what the scheduler counts of each thread, in nanoseconds (Linux, Documentation/scheduler/sched-stats.rst): the usual count
 * goes in steps of 10 ms, which is a hundred requests. Threads that have ended are in it no more.
 */
export function cpuMsOf(pid: number): number {
  const folder = `/proc/${pid}/task`
  return unlessEnded(() => readdirSync(folder), []).reduce((sum, thread) => {
    const [onCpu] = unlessEnded(() => readFileSync(`${folder}/${thread}/schedstat`, 'latin1'), '0').split(' ')
    return sum + Number(onCpu) / 1e6
  }, 0)
}
