import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'

type Source = 'proc' | 'ps'
const usual: Source = process.platform === 'linux' ? 'proc' : 'ps'

/** Identifies a process uniquely, even if its id is reused; undefined if it doesn't run. */
export function processIdentity(pid: number, source = usual): string | undefined {
  if (source === 'ps') return ps(['-o', 'lstart=', '-p', String(pid)]).trim() || undefined
  try {
    // Skips the command name, which may contain spaces and brackets. State is field 3; the start time in ticks is field
    // 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')
    return fields?.[0] === 'Z' ? undefined : fields?.[19]
  } catch {
    return undefined
  }
}

const nowhere = randomUUID()

/**
 * Identifies the scope in which process ids are valid: this boot of the machine and, on Linux, this PID namespace. A
 * lock from another scope can't be checked by process id.
 */
export function processPlace(): string {
  if (process.platform !== 'linux') return process.platform
  try {
    // A container may mount its host's /proc, which has different process ids.
    if (readlinkSync('/proc/self') !== String(process.pid)) return nowhere
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return nowhere
  }
}

export function postgresProcessesOf(folder: string, source = usual): number[] {
  if (source === 'ps') return postmasterPids(folder)
  const own = statSync(folder, { throwIfNoEntry: false })
  if (!own) return []
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => isPostgresIn(pid, own))
}

// Compares inodes instead of paths: in a container, the same path may be a different folder.
function isPostgresIn(pid: number, folder: { dev: number; ino: number }): boolean {
  try {
    if (!readlinkSync(`/proc/${pid}/exe`).includes('/postgres')) return false
    const { dev, ino } = statSync(`/proc/${pid}/cwd`)
    return dev === folder.dev && ino === folder.ino
  } catch {
    return false
  }
}

export function isElsewhere(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) !== readlinkSync('/proc/self/ns/pid')
  } catch {
    return false
  }
}

// Without /proc, only the server process can be recognised, by its command line; its backends end with it.
function postmasterPids(folder: string): number[] {
  const lines = ps(['-axo', 'pid=,command=', '-ww']).split('\n')
  return lines.filter((line) => `${line} `.includes(`/postgres -D ${folder} `)).map((line) => Number.parseInt(line, 10))
}

// Use a fixed locale and time zone, because a command and the server may run with different ones.
function ps(args: string[]): string {
  try {
    const env = { ...process.env, LANG: 'C', LC_ALL: 'C', TZ: 'UTC' }
    return execFileSync('ps', args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}
