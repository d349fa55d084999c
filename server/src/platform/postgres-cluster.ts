import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart, WasKilled } from './data-dir.ts'
import { canEnter, type RunAs } from './postgres-binaries.ts'
import { postgresProcessesOf } from './processes.ts'

/** The files of one PostgreSQL server, and who may run it. */
export interface Cluster {
  folder: string
  binaries: string
  runAs: RunAs
  durable: boolean
}

/** The role that owns everything in it. */
export const ownerRole = 'duet'

/** Makes the cluster when there is none; what an earlier attempt left unfinished is thrown away. */
export async function makeCluster({ folder, binaries, runAs, durable }: Cluster): Promise<void> {
  const parent = dirname(folder)
  const prefix = 'postgres.new-'
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix)) rmSync(join(parent, name), { recursive: true, force: true })
  }
  if (existsSync(folder)) return requireUsable(folder, binaries)
  const unfinished = mkdtempSync(join(parent, prefix))
  if (runAs.uid !== undefined) chownSync(unfinished, runAs.uid, runAs.gid)
  const options = ['-U', ownerRole, '--auth=trust', '--no-instructions', ...(durable ? [] : ['--no-sync'])]
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8']
  const args = ['-D', pathWithin(unfinished, runAs), ...options, ...locale]
  const stdio = ['ignore', 'ignore', 'pipe'] as const
  const child = spawn(join(binaries, 'bin/initdb'), args, { cwd: unfinished, ...runAs, stdio: [...stdio] })
  const lines: string[] = []
  if (child.stderr) createInterface(child.stderr).on('line', (line) => lines.push(line))
  const code = await exitCode(child)
  if (code !== 0) {
    const Fault = wasKilled(child, lines) ? WasKilled : CannotStart
    throw new Fault(`The database could not be made: ${lines.join(' ')}`)
  }
  renameSync(unfinished, folder)
}

/** Whether a program that has ended was killed, or one that it needed. */
export const wasKilled = ({ signalCode }: ChildProcess, lines: readonly string[]): boolean =>
  signalCode !== null || lines.some((line) => line.includes('terminated by signal'))

/** How a program started in `folder` as `runAs` names it: by its path, or where it may not pass the folders above, so. */
export function pathWithin(folder: string, runAs: RunAs): string {
  if (canEnter(folder, runAs)) return folder
  if (process.platform === 'linux' && runAs.uid !== undefined) return '/proc/self/cwd'
  throw new CannotStart(
    `${folder} cannot be entered: chmod it and the folders above, or set DATA_DIR to another folder.`,
  )
}

function requireUsable(folder: string, binaries: string): void {
  const made = read(join(folder, 'PG_VERSION'))
  if (!made) throw new CannotStart(`${folder} is no database that this user can read: set DATA_DIR to another folder.`)
  const own = /^# PostgreSQL (\d+)/.exec(read(join(binaries, 'share/postgresql/postgres.bki')))?.[1]
  if (own && made !== own) {
    throw new CannotStart(
      `${folder} was made by PostgreSQL ${made} and this is ${own}: set DATA_DIR to another folder.`,
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

/** Ends what outlived whoever started it. Call it only while holding the data directory. */
export async function stopLeftover(folder: string): Promise<void> {
  const marks = ['postmaster.pid', '.s.PGSQL.5432.lock', '.s.PGSQL.5432'].map((name) => join(folder, name))
  if (!marks.some((mark) => existsSync(mark))) return
  const server = Number(read(join(folder, 'postmaster.pid')).split('\n')[0])
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const running = postgresProcessesOf(folder)
    // Without its server a child may go on for a while, and nothing may start beside it.
    for (const pid of running.includes(server) ? [server] : running) signalIfThere(pid, signal)
    for (let wait = 0; wait < 250 && postgresProcessesOf(folder).length > 0; wait += 1) await sleep(20)
  }
  if (postgresProcessesOf(folder).length > 0) throw new CannotStart(`A database that runs on ${folder} does not stop.`)
  // PostgreSQL would take any process that has the number now for its own, even a dead one that nobody has buried.
  for (const mark of marks) rmSync(mark, { force: true })
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
