import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import { type Config, ConfigError, readConfig, settingsIn } from '../config.ts'
import { joinAsItIs } from '../database-source.ts'
import { findKeyFault } from '../features/second-factor/sealing-key.ts'
import { newestBackup, openBackupPlace } from '../platform/database/backup-place.ts'
import { connect, connectLogin, connectOwner, type Pools } from '../platform/database/database.ts'
import { findDrill, unended } from '../platform/database/restore-drills.ts'
import { requireOurSchema } from '../platform/database/schema-version.ts'
import { tryBackupPlace } from '../platform/database/try-backup-place.ts'
import { writeNothing } from '../platform/http/health.ts'
import { createLogger } from '../platform/logger.ts'
import { isPublished, type MailSigning, recordOf } from '../platform/mail-signing.ts'
import { openMailer } from '../platform/mailer.ts'
import { compareWithRunning } from '../platform/process/running-note.ts'
import { createSecrets, findKeptSecretKey } from '../platform/security/secrets.ts'
import { isNearlyFull, spaceOf } from '../platform/storage/free-space.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { build } from '../platform/version.ts'
import { redisAnswer } from '../redis-answer.ts'

interface Check {
  name: string
  look(): Promise<string>
}

class Waiting extends Error {}

async function nodeVersion(): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return process.version
  throw new Error(`${process.version}; install 20.19 or newer`)
}

async function dataDir({ dataDir: folder }: Config): Promise<string> {
  if (!existsSync(folder)) return `${folder}, created on the first start`
  await access(folder, constants.W_OK | constants.X_OK)
  const room = await spaceOf(folder)
  if (!room) return folder
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
  const told = `${folder}, ${gigabytes(room.free)} of ${gigabytes(room.size)} free`
  if (isNearlyFull(room)) throw new Error(`${told}: free up space before it is full`)
  return told
}

async function migrated(owner: pg.ClientConfig): Promise<string> {
  const { isNew, newer } = await requireOurSchema(owner)
  if (isNew) throw new Error('reachable, but without a schema: start Duet once')
  return newer ? `reachable, with the schema of a newer Duet (${newer})` : 'reachable, with the newest schema'
}

const askSafety = `select current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on' as survives,
  current_setting('synchronous_commit') as commits, current_setting('synchronous_standby_names') as standbys`

interface Safety {
  survives: boolean
  commits: string
  standbys: string
}

interface Addresses {
  owner: pg.ClientConfig
  login?: pg.ClientConfig
}

async function safe({ owner, login }: Addresses): Promise<string> {
  const { pool } = login ? connectLogin(login, () => undefined, 1) : connect(owner, () => undefined, 1)
  try {
    const { rows } = await pool.query<Safety>(askSafety)
    const { survives, commits, standbys } = rows[0] as Safety
    await pool.query(writeNothing)
    if (!survives) throw new Error('fsync or full_page_writes is off: a crash may corrupt the database; turn both on')
    if (commits === 'off')
      throw new Error('synchronous_commit is off: a crash may lose acknowledged changes; turn it on')
    return standbys === '' || commits === 'local'
      ? 'durable on this server only'
      : `durable, also on standbys (${standbys})`
  } finally {
    await pool.end()
  }
}

/** Undefined before the first start, when the embedded database doesn't exist yet. */
async function inDatabase<R>(config: Config, look: (addresses: Addresses) => Promise<R>): Promise<R | undefined> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'postgres'))) return undefined
  const source = await joinAsItIs(config, createLogger('silent'))
  try {
    return await look(source)
  } finally {
    await source.stop()
  }
}

async function database(config: Config): Promise<string> {
  const found = await inDatabase(
    config,
    async (addresses) => `${await migrated(addresses.owner)}, ${await safe(addresses)}`,
  )
  if (config.databaseUrl) return found ?? ''
  return `embedded; ${found ?? 'created on the first start'}`
}

const askReplica = `select (select system_identifier from pg_control_system()) as system, current_database() as name,
  case when pg_is_in_recovery() then extract(epoch from now() - pg_last_xact_replay_timestamp())::int end as seconds`

interface Standing {
  system: string
  name: string
  /** Since the replica replayed a change; null on a primary. */
  seconds: number | null
}

async function replicas(config: Config, connectionString: string): Promise<string> {
  const ask = async ({ pool }: Pools) => (await pool.query<Standing>(askReplica).finally(() => pool.end())).rows[0]
  const found = await inDatabase(config, async ({ owner, login }) => {
    const open = login ? connectLogin : connect
    const own = login ?? owner
    return [
      await ask(open(own, () => undefined, 1)),
      await ask(open({ ...own, connectionString }, () => undefined, 1, true)),
    ]
  })
  const [primary, replica] = found ?? []
  if (replica?.system !== primary?.system || replica?.name !== primary?.name)
    throw new Error('DATABASE_READ_URL leads to another database')
  return replica?.seconds === null ? 'the primary answers' : `the last change arrived ${replica?.seconds} s ago`
}

async function secretKey(config: Config): Promise<string> {
  const key = config.secretKey ?? (await findKeptSecretKey(config.dataDir))
  if (!key) return 'created on the first start'
  const secrets = createSecrets(key, config.previousSecretKey)
  const found = await inDatabase(config, async ({ owner, login }) => {
    const { db, pool } = login ? connectLogin(login, () => undefined, 1) : connect(owner, () => undefined, 1)
    return { fault: await findKeyFault({ db, secrets }).finally(() => pool.end()) }
  }).catch(() => {
    throw new Waiting('the database has to be reachable first')
  })
  if (!found) return 'nothing is encrypted with it yet'
  if (found.fault) throw new Error(found.fault)
  return 'it decrypts the data in the database'
}

async function storage(config: Config): Promise<string> {
  const media = join(config.dataDir, 'media')
  if (!config.storageUrl && !existsSync(media)) return `${media}, created with the first file`
  await openStorage(config, createLogger('warn')).verify()
  return config.storageUrl ? 'the store is writable' : media
}

interface LastNight {
  begun: Date | null
  fault: string | null
}

const askLastNight = `select
  (select last_execution from graphile_worker._private_known_crontabs where identifier = 'back-up') as begun,
  (select split_part(last_error, E'\\n', 1) from graphile_worker.jobs
    where task_identifier = 'back-up' and last_error is not null order by run_at desc limit 1) as fault`

async function lastNight({ owner }: Addresses): Promise<LastNight> {
  const { pool } = connectOwner(owner, () => undefined)
  try {
    return (await pool.query<LastNight>(askLastNight)).rows[0] as LastNight
  } finally {
    await pool.end()
  }
}

const hoursSince = (at: Date) => Math.floor((Date.now() - at.getTime()) / 3_600_000)

async function backups(config: Config, { to }: NonNullable<Config['backup']>): Promise<string> {
  await tryBackupPlace(to)
  const newest = await newestBackup(openBackupPlace(to))
  // Another check already reports a database outage.
  const night = await inDatabase(config, lastNight).catch(() => undefined)
  const { begun, fault } = night ?? { begun: null, fault: null }
  const why = fault ? `; the last try failed: ${fault}` : ''
  if (!newest && !fault && (!begun || hoursSince(begun) < 1))
    throw new Waiting(`none in ${to} yet; the first one runs at 02:11 UTC`)
  if (!newest) throw new Error(`none in ${to}${why}`)
  const hours = hoursSince(newest.madeAt)
  if (hours < 0)
    throw new Error(`the newest, ${newest.name}, is dated in the future: a clock was wrong when it was made`)
  if (hours > 26) throw new Error(`the newest is ${newest.name}, ${hours} hours old${why}`)
  return `${newest.name}, ${hours} hours old`
}

async function drilled(config: Config): Promise<string> {
  const last = await inDatabase(config, async ({ owner }) => {
    const { pool } = connect(owner, () => undefined, 1)
    return findDrill(pool).finally(() => pool.end())
  })
  if (!last) return 'none yet: the next nightly backup will be test-restored'
  const days = Math.floor((Date.now() - last.triedAt.getTime()) / 86_400_000)
  // Report a failure only after as long as the alert waits.
  if (last.fault === unended && hoursSince(last.triedAt) < 3) throw new Waiting(`${last.backup} is being restored`)
  if (last.fault !== null) throw new Error(`${last.backup} could not be restored: ${last.fault}`)
  if (days > 8) throw new Error(`the last one was ${days} days ago; there is one every week`)
  return `${last.backup} could be restored, ${days} days ago`
}

async function mail(config: Config): Promise<string> {
  if (!config.mailUrl && config.production) throw new Error('MAIL_URL is not set: nobody receives sign-in codes')
  const outbox = `emails are written to ${join(config.dataDir, 'outbox')}`
  // Don't create the folder: if this command runs as root, Duet couldn't write to it.
  if (!config.mailUrl && !existsSync(join(config.dataDir, 'outbox'))) return outbox
  const mailer = openMailer(config)
  try {
    await mailer.verify()
    return config.mailUrl ? 'the mail server answers' : outbox
  } finally {
    mailer.close()
  }
}

async function signature(signing: MailSigning): Promise<string> {
  const { name, text } = recordOf(signing)
  if (await isPublished(signing)) return `emails are signed for ${signing.domain}, and DNS has ${name}`
  return `emails are signed for ${signing.domain}; DNS does not have the key yet: set ${name} TXT "${text}"`
}

/** Asks whatever listens on the port for its health, which Duet reports even while its database is down. */
async function findRunningDuet(config: Config): Promise<{ version?: string } | undefined> {
  const host = ['0.0.0.0', '::', '::1'].includes(config.host) ? 'localhost' : config.host
  const signal = AbortSignal.timeout(3_000)
  const answer = await fetch(`http://${host}:${config.port}/healthz`, { signal }).catch(() => undefined)
  const told = answer?.ok ? ((await answer.json().catch(() => ({}))) as { ok?: unknown; version?: string }) : {}
  return told.ok === true ? told : undefined
}

async function port(config: Config): Promise<string> {
  const probe = createServer()
  try {
    await once(probe.listen(config.port, config.host), 'listening')
    probe.close()
    return `${config.port} on ${config.host} is free`
  } catch (error) {
    const duet = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' && (await findRunningDuet(config))
    if (!duet) throw error
    return `${config.port}: Duet ${duet.version ? `${duet.version} runs` : 'starts'} there`
  }
}

async function settings(config: Config): Promise<string> {
  const { closest, isAnyHidden } = compareWithRunning(config.dataDir, settingsIn(process.env))
  if (!closest && !(await findRunningDuet(config)))
    return `no Duet runs on ${config.dataDir}; checking this environment's settings`
  if (!closest && isAnyHidden)
    throw new Waiting(
      `Duet runs on port ${config.port}, in another container, on another machine or as another user: its settings cannot be seen from here`,
    )
  if (!closest)
    throw new Error(
      `Duet runs on port ${config.port}, and not with DATA_DIR=${config.dataDir}: its settings cannot be seen from here`,
    )
  const { pid, differing } = closest
  if (differing.length === 0) return `same as those of the running Duet (process ${pid})`
  throw new Error(
    `the running Duet (process ${pid}) has a different ${differing.join(', ')}, so the checks below are not about it. Run this with its environment (/opt/duet/duet doctor)`,
  )
}

function checksOf(config: Config): Check[] {
  const { redisUrl, backup, mailSigning, databaseReadUrl } = config
  return [
    { name: 'Duet', look: async () => build },
    { name: 'Node.js', look: nodeVersion },
    { name: 'settings', look: () => settings(config) },
    { name: 'data directory', look: () => dataDir(config) },
    { name: 'database', look: () => database(config) },
    ...(databaseReadUrl ? [{ name: 'read replicas', look: () => replicas(config, databaseReadUrl) }] : []),
    { name: 'secret key', look: () => secretKey(config) },
    { name: 'photo storage', look: () => storage(config) },
    { name: 'mail', look: () => mail(config) },
    ...(mailSigning ? [{ name: 'mail signature', look: () => signature(mailSigning) }] : []),
    { name: 'port', look: () => port(config) },
    ...(backup ? [{ name: 'backups', look: () => backups(config, backup) }] : []),
    ...(backup ? [{ name: 'restore drill', look: () => drilled(config) }] : []),
    ...(redisUrl ? [{ name: 'Redis', look: () => redisAnswer(redisUrl) }] : []),
  ]
}

async function examine(config: Config): Promise<boolean> {
  let well = true
  for (const line of config.warnings) console.log(`warn    ${line}`)
  for (const { name, look } of checksOf(config)) {
    try {
      console.log(`ok      ${name}: ${await look()}`)
    } catch (error) {
      const isWaiting = error instanceof Waiting
      if (!isWaiting) well = false
      const { message, code } = error as NodeJS.ErrnoException
      console.log(
        `${isWaiting ? 'wait    ' : 'failed  '}${name}: ${(message || code || 'it does not answer').split('\n')[0]}`,
      )
    }
  }
  return well
}

try {
  process.exit((await examine(readConfig(process.env))) ? 0 : 1)
} catch (error) {
  for (const line of error instanceof ConfigError ? error.lines : [String(error)]) console.log(`failed  ${line}`)
  process.exit(1)
}
