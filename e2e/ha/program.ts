import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { programsPath } from '../../server/src/test/programs.ts'

/** A program of the system that runs until it is told to end, or until this process is gone. */
export interface Running {
  child: ChildProcess
  output(): string
  signal(signal: NodeJS.Signals): void
  /** To it and to all that it has begun and not let go. */
  signalAll(signal: NodeJS.Signals): void
  /** Resolves when it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** PostgreSQL does not run as root: then its own user, which its package makes, runs it. */
export const user: { uid?: number; gid?: number } =
  process.getuid?.() === 0
    ? {
        uid: Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })),
        gid: Number(execFileSync('id', ['-g', 'postgres'], { encoding: 'utf8' })),
      }
    : {}

/** Where Debian keeps the programs of PostgreSQL. */
export const postgresPrograms = '/usr/lib/postgresql/15/bin'

const environmentIn = (cwd: string) => ({
  PATH: `${programsPath}:${postgresPrograms}`,
  HOME: cwd,
  LC_ALL: 'C.UTF-8',
  // Each machine of its own has the usual one.
  PGBACKREST_CONFIG: join(cwd, 'pgbackrest.conf'),
})

/** Runs a program to its end as the same user; gives what it prints. Throws with that when it fails. */
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

// It is told to end when its input closes, which it does as well when this process is gone; and then whatever still runs of
// its folder ends, as Patroni waits for etcd, and PostgreSQL for Patroni.
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
      // It leads a group of its own.
      if (!hasEnded() && child.pid !== undefined) process.kill(-child.pid, which)
    },
    output: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    async end(which) {
      if (hasEnded()) return
      const ended = once(child, 'exit')
      // Its input closes as soon as it has ended: before that, what waits for it hears that nothing is to be done.
      child.stdin?.write('over\n')
      signal(which)
      const insist = setTimeout(() => child.kill('SIGKILL'), 30_000)
      await ended
      clearTimeout(insist)
    },
  }
}
