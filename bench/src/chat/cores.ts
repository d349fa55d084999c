import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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

const msPerTick = 10

/** The CPU time a process has used, in ms: it does not depend on what else runs on the machine. 0 once it has ended. */
export function cpuMsOf(pid: number): number {
  let fields: string[]
  try {
    fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
  return (Number(fields[11]) + Number(fields[12])) * msPerTick
}
