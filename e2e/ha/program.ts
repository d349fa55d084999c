import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { programsPath } from '../../server/src/test/programs.ts'

/** A system program that ends when it is stopped or this process ends. */
export interface Running {
  child: ChildProcess
  output(): string
  signal(signal: NodeJS.Signals): void
  signalAll(signal: NodeJS.Signals): void
  end(signal: NodeJS.Signals): Promise<void>
}

/** PostgreSQL refuses to run as root. In that case, use `postgres`, the user that its package creates. */
export const user: { uid?: number; gid?: number } =
  process.getuid?.() === 0
    ? {
        uid: Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })),
        gid: Number(execFileSync('id', ['-g', 'postgres'], { encoding: 'utf8' })),
      }
    : {}

export const postgresPrograms = '/usr/lib/postgresql/15/bin'

const environmentIn = (cwd: string) => ({
  PATH: `${programsPath}:${postgresPrograms}`,
  HOME: cwd,
  LC_ALL: 'C.UTF-8',
  // The machines share a file system here. Real machines use the default path.
  PGBACKREST_CONFIG: join(cwd, 'pgbackrest.conf'),
})

/** Runs a program as that user until it ends, and returns its output. If it fails, throws with the output. */
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

// The shell stops the program when its input closes, which also happens if this process is killed. Then it kills any
// process still running from the same folder, because Patroni waits for etcd, and PostgreSQL for Patroni.
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
      if (!hasEnded() && child.pid !== undefined) process.kill(-child.pid, which)
    },
    output: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    async end(which) {
      if (hasEnded()) return
      const ended = once(child, 'exit')
      // The shell's input closes as soon as the program has ended. This line stops the shell from killing anything.
      child.stdin?.write('over\n')
      signal(which)
      const insist = setTimeout(() => child.kill('SIGKILL'), 30_000)
      await ended
      clearTimeout(insist)
    },
  }
}
