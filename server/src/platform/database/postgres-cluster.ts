import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { childEnvironment } from '../process/child-environment.ts'
import { CannotStart, WasKilled } from '../process/data-dir.ts'
import { isElsewhere, postgresProcessesOf } from '../process/processes.ts'
import { canEnter, type RunAs } from './postgres-binaries.ts'
import { socketAnswers, socketName } from './postgres-socket.ts'

export interface Cluster {
  folder: string
  binaries: string
  runAs: RunAs
  durable: boolean
}

export const ownerRole = 'duet'

/** Kills the child when this process exits, so that it can't write to a folder that is being removed. */
export function killAtExit(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL')
  // Runs before the listener that removes the folder.
  process.prependOnceListener('exit', kill)
  for (const end of ['exit', 'error']) child.once(end, () => process.off('exit', kill))
}

export async function makeCluster({ folder, binaries, runAs, durable }: Cluster): Promise<void> {
  const parent = dirname(folder)
  const prefix = 'postgres.new-'
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix)) rmSync(join(parent, name), { recursive: true, force: true })
  }
  if (existsSync(folder)) return requireUsable(folder, binaries)
  const unfinished = mkdtempSync(join(parent, prefix))
  if (runAs.uid !== undefined) chownSync(unfinished, runAs.uid, runAs.gid)
  const options = ['-U', ownerRole, '--auth=peer', '--no-instructions', ...(durable ? [] : ['--no-sync'])]
  // PostgreSQL's own C.UTF-8 sorts the same on every system. The only system locale it then needs is C, which always
  // exists.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const args = ['-D', pathWithin(unfinished, runAs), ...options, ...locale]
  const stdio = ['ignore', 'ignore', 'pipe'] as const
  const env = childEnvironment()
  const child = spawn(join(binaries, 'bin/initdb'), args, { cwd: unfinished, ...runAs, env, stdio: [...stdio] })
  killAtExit(child)
  const lines: string[] = []
  if (child.stderr) createInterface(child.stderr).on('line', (line) => lines.push(line))
  const code = await exitCode(child)
  if (code !== 0) {
    if (lines.some((line) => /No space left on device|Check free disk space/.test(line)))
      throw new CannotStart(`DATA_DIR: there is no space left for ${folder}`)
    const Fault = wasKilled(child, lines) ? WasKilled : CannotStart
    throw new Fault(`The database could not be created: ${lines.join(' ')}`)
  }
  renameSync(unfinished, folder)
}

export const wasKilled = ({ signalCode }: ChildProcess, lines: readonly string[]): boolean =>
  signalCode !== null || lines.some((line) => line.includes('terminated by signal'))

/**
 * The path of `folder` for a program that runs as `runAs` with `folder` as its working directory; that user may not
 * have access to the parent folders.
 */
export function pathWithin(folder: string, runAs: RunAs): string {
  if (canEnter(folder, runAs)) return folder
  if (process.platform === 'linux' && runAs.uid !== undefined) return '/proc/self/cwd'
  throw new CannotStart(
    `${folder} cannot be entered: chmod it and the folders above, or set DATA_DIR to another folder.`,
  )
}

function requireUsable(folder: string, binaries: string): void {
  const made = read(join(folder, 'PG_VERSION'))
  if (!made)
    throw new CannotStart(`${folder} is not a database that this user can read: set DATA_DIR to another folder.`)
  const own = /^# PostgreSQL (\d+)/.exec(read(join(binaries, 'share/postgresql/postgres.bki')))?.[1]
  if (own && made !== own) {
    throw new CannotStart(
      `${folder} was made by PostgreSQL ${made} and this is ${own}: back up with the earlier release and restore with this one (docs/operators.md).`,
    )
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

function exitCode(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
}

const marks = ['postmaster.pid', `${socketName}.lock`, socketName]

/**
 * Stops a database that outlived its parent process. Call it only while holding the lock on the data directory. Does
 * nothing if a server in another container uses `folder`.
 */
export async function stopLeftover(folder: string): Promise<void> {
  const left = marks.map((name) => join(folder, name))
  if (!left.some((mark) => existsSync(mark))) return
  const server = Number(read(join(folder, 'postmaster.pid')).split('\n')[0])
  const ours = () => postgresProcessesOf(folder).filter((pid) => !isElsewhere(pid))
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const running = ours()
    // Backends may outlive their postmaster for a while, and a new server can't start while they run.
    for (const pid of running.includes(server) ? [server] : running) signalIfThere(pid, signal)
    for (let wait = 0; wait < 250 && ours().length > 0; wait += 1) await sleep(20)
  }
  if (ours().length > 0) throw new CannotStart(`The database that runs on ${folder} does not stop.`)
  await requireNoneElsewhere(folder)
  // PostgreSQL would mistake any process with that pid, even a zombie, for the old server, so remove its lock files.
  for (const mark of left) rmSync(mark, { force: true })
}

/** A server in another container may be invisible to us and impossible to signal, so give it a moment to stop. */
async function requireNoneElsewhere(folder: string): Promise<void> {
  for (let wait = 0; wait < 100; wait += 1) {
    if (postgresProcessesOf(folder).length === 0 && !(await socketAnswers(folder))) return
    await sleep(50)
  }
  throw new CannotStart(
    `A database runs on ${folder} in another container: stop that Duet first, or set DATA_DIR to another folder.`,
  )
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
