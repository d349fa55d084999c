import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'

/** The way to look at processes here; a test on Linux may ask for the other one. */
type Source = 'proc' | 'ps'
const usual: Source = process.platform === 'linux' ? 'proc' : 'ps'

/** Something that tells one process from every other that ever had its id; undefined when no such process runs. */
export function processIdentity(pid: number, source = usual): string | undefined {
  if (source === 'ps') return ps(['-o', 'lstart=', '-p', String(pid)]).trim() || undefined
  try {
    // After the command, which may hold spaces and brackets: state is field 3, the start time in ticks field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')
    return fields?.[0] === 'Z' ? undefined : fields?.[19]
  } catch {
    return undefined
  }
}

const nowhere = randomUUID()

/**
 * Where process ids mean what they mean to us: this boot of the machine and, on Linux, this PID namespace. Claims with
 * another place cannot be judged by their process id.
 */
export function processPlace(): string {
  if (process.platform !== 'linux') return process.platform
  try {
    // A container may show the processes of its host, whose ids are not ours.
    if (readlinkSync('/proc/self') !== String(process.pid)) return nowhere
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return nowhere
  }
}

/** The PostgreSQL processes, servers and their children, that work in `folder` and that we can see. */
export function postgresProcessesOf(folder: string, source = usual): number[] {
  if (source === 'ps') return postmasterPids(folder)
  const own = statSync(folder, { throwIfNoEntry: false })
  if (!own) return []
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => isPostgresIn(pid, own))
}

// By the folder itself, not by its path: in a container the same path is another folder.
function isPostgresIn(pid: number, folder: { dev: number; ino: number }): boolean {
  try {
    if (!readlinkSync(`/proc/${pid}/exe`).includes('/postgres')) return false
    const { dev, ino } = statSync(`/proc/${pid}/cwd`)
    return dev === folder.dev && ino === folder.ino
  } catch {
    return false
  }
}

/** Whether a process that we see runs in a PID namespace of its own, as in a container. */
export function isElsewhere(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) !== readlinkSync('/proc/self/ns/pid')
  } catch {
    return false
  }
}

// Without /proc, only the server itself can be recognized, by its command line; its children end with it.
function postmasterPids(folder: string): number[] {
  const lines = ps(['-axo', 'pid=,command=', '-ww']).split('\n')
  return lines.filter((line) => `${line} `.includes(`/postgres -D ${folder} `)).map((line) => Number.parseInt(line, 10))
}

// In one language and time zone: a command may be started in others than the server.
function ps(args: string[]): string {
  try {
    const env = { ...process.env, LANG: 'C', LC_ALL: 'C', TZ: 'UTC' }
    return execFileSync('ps', args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}
