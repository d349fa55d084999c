import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'

/** Something that tells one process from every other that ever had its id; undefined when no such process runs. */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart=')
  try {
    // After the command, which may hold spaces and brackets: state is field 3, the start time in ticks field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')
    return fields?.[0] === 'Z' ? undefined : fields?.[19]
  } catch {
    return undefined
  }
}

/** The PostgreSQL processes, servers and their children, that work in `folder`. */
export function postgresProcessesOf(folder: string): number[] {
  if (process.platform !== 'linux') return postmasterOf(folder)
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => isPostgresIn(pid, realpathSync(folder)))
}

function isPostgresIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder && readlinkSync(`/proc/${pid}/exe`).includes('/postgres')
  } catch {
    return false
  }
}

// Elsewhere only the server itself can be told, by its command line; when it dies, its children do.
function postmasterOf(folder: string): number[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(`/postgres -D ${folder}`)).map((line) => Number.parseInt(line, 10))
}

function ps(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}
