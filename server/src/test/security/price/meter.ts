import { readdirSync, readFileSync } from 'node:fs'
import { type Rows, testRows } from '../rows.ts'

/**
 * The CPU time of a process with all its threads, in seconds with nanosecond precision; 0 once it has exited. Linux
 * only.
 */
function cpuOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const times = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0])
    return times.reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1e9, 0)
  } catch {
    return 0
  }
}

function withChildren(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
    return [pid, ...children.flatMap(withChildren)]
  } catch {
    return []
  }
}

export interface Meter {
  read(): Promise<number>
}

/**
 * Measures the server with this process id and its database connections. A process that has exited counts with its last
 * measurement.
 */
export function meterOf(pid: number, rows: Rows): Meter {
  const used = new Map<number, number>()
  return {
    async read() {
      const backends = await rows.query(
        `select pid from pg_stat_activity where datname = current_database() and application_name <> $1
          and backend_type in ('client backend', 'parallel worker')`,
        [testRows],
      )
      for (const one of [...withChildren(pid), ...backends.map((row) => Number(row.pid))])
        used.set(one, Math.max(used.get(one) ?? 0, cpuOf(one)))
      return [...used.values()].reduce((sum, seconds) => sum + seconds, 0)
    },
  }
}
