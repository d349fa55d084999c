import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { programsPath } from '../../server/src/test/programs.ts'

/** A system program that runs until it is stopped or this process ends. */
export interface Running {
  child: ChildProcess
  output(): string
  signal(signal: NodeJS.Signals): void
  /** Signals its process group. */
  signalAll(signal: NodeJS.Signals): void
  /** Sends a signal and resolves once it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** PostgreSQL refuses to run as root, so the user `postgres`, created by its package, runs it then. */
export const user: { uid?: number; gid?: number } =
  process.getuid?.() === 0
    ? {
        uid: Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })),
        gid: Number(execFileSync('id', ['-g', 'postgres'], { encoding: 'utf8' })),
      }
    : {}

/** Where Debian installs PostgreSQL's programs. */
export const postgresPrograms = '/usr/lib/postgresql/15/bin'

const environmentIn = (cwd: string) => ({
  PATH: `${programsPath}:${postgresPrograms}`,
  HOME: cwd,
  LC_ALL: 'C.UTF-8',
  // Here the machines share a file system; real ones use the default path.
  PGBACKREST_CONFIG: join(cwd, 'pgbackrest.conf'),
})

/** Runs a program as that user until it ends and returns its output. Throws with its output if it fails. */
export function runProgram(command: string, args: readonly string[], cwd: string, input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, ...user, env: environmentIn(cwd), timeout: 300_000 }
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command} ${args.join(' ')}: ${error.message}\n${stdout}${stderr}`))
      else resolve(stdout)
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

// The shell stops the program when its input closes, which also happens if this process dies. Then it kills whatever
// still runs from its folder: Patroni waits for etcd, and PostgreSQL for Patroni.
const withLifeline = `main=$$; exec 3<&0
({ read -r word <&3; [ -n "$word" ] || { kill "$main"; sleep 10; kill -9 "$main"; pkill -9 -f "$PWD/"; }; } >/dev/null 2>&1 &)
exec "$@" 3<&- </dev/null`

export function startProgram(command: string, args: string[], cwd: string): Running {
  const log = join(cwd, `${basename(command)}-${randomUUID().slice(0, 8)}.log`)
  const file = openSync(log, 'a')
  const child = spawn('/bin/sh', ['-c', withLifeline, 'sh', command, ...args], {
    cwd,
    ...user,
    detached: true,
    env: environmentIn(cwd),
    stdio: ['pipe', file, file],
  })
  closeSync(file)
  child.stdin?.on('error', () => {})
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const signal = (which: NodeJS.Signals) => void (hasEnded() || child.kill(which))
  return {
    child,
    signal,
    signalAll(which) {
      // It leads its own process group.
      if (!hasEnded() && child.pid !== undefined) process.kill(-child.pid, which)
    },
    output: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    async end(which) {
      if (hasEnded()) return
      const ended = once(child, 'exit')
      // Its input closes as soon as it has ended; this line tells the shell not to kill anything.
      child.stdin?.write('over\n')
      signal(which)
      const insist = setTimeout(() => child.kill('SIGKILL'), 30_000)
      await ended
      clearTimeout(insist)
    },
  }
}
