import { readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import type pg from 'pg'
import { postgresProcessesOf } from '../../../server/src/platform/process/processes.ts'
import { each } from '../../../tools/each.ts'
import { type Percentiles, percentilesOf } from '../../../tools/percentiles.ts'
import { cpuMsOf } from '../chat/cores.ts'

export interface Asked {
  path: string
  method?: 'GET' | 'PUT'
  token?: string
  body?: object
}

/** Averages per request. */
export interface Cost {
  serverMs: number
  databaseMs: number
  statements: number
  sentKb: number
  answerKb: number
  times: Percentiles
}

/** The number of concurrent requests. With only one, the server would idle while it waits for the database. */
export const atOnce = 4
const msPerTick = 10

/** The CPU time of a process, including its finished children. */
function cpuMsWithEnded(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) * msPerTick
}

/** The CPU time of all processes of a database cluster in ms, including those of closed connections. */
export function databaseCpuMs(folder: string): number {
  const pids = postgresProcessesOf(folder)
  const parent = Number(readFileSync(`${folder}/postmaster.pid`, 'utf8').split('\n')[0])
  return pids.reduce((sum, pid) => sum + (pid === parent ? cpuMsWithEnded(pid) : cpuMsOf(pid)), 0)
}

/** The number of bytes that a process has written, mostly to sockets. */
const writtenBytes = (pid: number) => Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])

async function statementsOf(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ calls: number }>(
    `select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements s join pg_roles r on r.oid = s.userid
     where r.rolname = 'duet_app' and s.dbid = (select oid from pg_database where datname = current_database())`,
  )
  return rows[0]?.calls ?? 0
}

export interface Meter {
  /** Sends each request once, some of them concurrently. Throws if one is refused. */
  measure(server: { pid: number; port: number }, asked: readonly Asked[]): Promise<Cost>
  /** The CPU time of server and database while `act` runs, in ms. */
  cpuMsOf(server: { pid: number }, act: () => Promise<void>): Promise<number>
}

function ask(agent: Agent, port: number, { path, method = 'GET', token, body }: Asked): Promise<number> {
  const text = body && JSON.stringify(body)
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  const since = performance.now()
  return new Promise((resolve, reject) => {
    const request = send({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('error', reject)
      response.once('end', () => {
        if (response.statusCode === 200) return resolve(performance.now() - since)
        reject(new Error(`${method} ${path}: ${response.statusCode} ${Buffer.concat(parts)}`))
      })
    })
    request.once('error', reject)
    request.end(text)
  })
}

/** Creates a meter that reads the operating system's counters for a server and for the cluster in `folder`. */
export function createMeter(owner: pg.Pool, folder: string): Meter {
  const read = async (pid: number) => ({
    server: cpuMsOf(pid),
    database: databaseCpuMs(folder),
    statements: await statementsOf(owner),
    written: writtenBytes(pid),
  })
  return {
    async cpuMsOf({ pid }, act) {
      const before = await read(pid)
      await act()
      const after = await read(pid)
      return after.server - before.server + after.database - before.database
    },
    async measure({ pid, port }, asked) {
      const sockets = new Set<{ bytesRead: number }>()
      const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
      agent.on('free', (socket) => sockets.add(socket))
      const times: number[] = []
      const before = await read(pid)
      await each(asked, atOnce, async (one) => void times.push(await ask(agent, port, one)))
      const after = await read(pid)
      const answered = [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0)
      agent.destroy()
      const share = 1 / asked.length
      return {
        serverMs: (after.server - before.server) * share,
        databaseMs: (after.database - before.database) * share,
        statements: (after.statements - before.statements) * share,
        sentKb: ((after.written - before.written - answered) * share) / 1024,
        answerKb: (answered * share) / 1024,
        times: percentilesOf(times),
      }
    },
  }
}
