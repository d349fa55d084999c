import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart, type Claimant, claimant, claimDataDir, type Purpose, Taken } from '../process/data-dir.ts'
import { databaseUser, postgresBinaries } from './postgres-binaries.ts'
import { makeCluster, ownerRole } from './postgres-cluster.ts'
import { type DatabaseLog, supervise, unlessKilled } from './postgres-server.ts'
import { socketAnswers, socketFolder } from './postgres-socket.ts'

export interface EmbeddedPostgres {
  /** `host` is the folder of the socket, which only its owner can enter. */
  connection: { host: string; user: string; database: string }
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  log: DatabaseLog
  /** False is faster, but a crash of the machine may lose everything. For tests. */
  durable?: boolean
  settings?: Readonly<Record<string, string>>
}

const connectionTo = (host: string) => ({ host, user: ownerRole, database: 'postgres' })

/**
 * Runs PostgreSQL on `dataDir`, creating a cluster if there is none. If Duet runs as root, PostgreSQL runs as another
 * user. Cleans up after a previous server that was killed. Throws `CannotStart` with a one-line explanation.
 */
export function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return start(options, 'server')
}

async function start(options: EmbeddedPostgresOptions, purpose: Purpose, patience?: number): Promise<EmbeddedPostgres> {
  const { log } = options
  const dataDir = resolve(options.dataDir)
  const folder = join(dataDir, 'postgres')
  const claim = await claimDataDir(dataDir, { purpose, log, ...(patience !== undefined && { patience }) })
  try {
    const runAs = databaseUser(folder)
    const cluster = { folder, runAs, binaries: postgresBinaries(runAs), durable: options.durable ?? true }
    await unlessKilled(log, () => makeCluster(cluster))
    const stop = await supervise({ ...cluster, own: options.settings ?? {} }, log)
    const address = socketFolder(folder)
    claim.announce(address.host)
    return {
      connection: connectionTo(address.host),
      async stop() {
        await stop()
        address.forget()
        claim.release()
      },
    }
  } catch (error) {
    claim.release()
    throw error
  }
}

const unreachableMs = 30_000

/**
 * For commands: uses the database of a running server, or starts one until `stop`. If another command has started the
 * database, waits for that command to end, because its database ends with it.
 */
export async function joinEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const since = performance.now()
  let told: string | undefined
  for (;;) {
    const other = claimant(dataDir)
    if (!other) {
      const own = await startUnlessTaken(options)
      if (own) return own
    } else if (other.purpose !== 'command' && other.host && (await canJoin(dataDir, other))) {
      const { host, forget } = socketFolder(join(dataDir, 'postgres'))
      return { connection: connectionTo(host), stop: async () => forget() }
    } else if (other.isElsewhere && other.host && performance.now() - since > unreachableMs) {
      throw new CannotStart(`Duet runs on ${dataDir} on another machine: run this command there.`)
    } else if (told !== reasonToWait(other)) {
      told = reasonToWait(other)
      options.log.warn(`${dataDir}: ${told}`)
    }
    await sleep(50)
  }
}

const reasonToWait = ({ pid, purpose, isElsewhere }: Claimant) =>
  `waiting for ${isElsewhere ? 'another container' : `process ${pid}`}, ${
    purpose === 'command' ? 'a command that has not ended yet' : 'whose database is starting'
  }`

async function canJoin(dataDir: string, { isElsewhere }: Claimant): Promise<boolean> {
  return !isElsewhere || (await socketAnswers(join(dataDir, 'postgres')))
}

async function startUnlessTaken(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres | undefined> {
  try {
    return await start(options, 'command', 0)
  } catch (error) {
    if (error instanceof Taken) return undefined
    throw error
  }
}
