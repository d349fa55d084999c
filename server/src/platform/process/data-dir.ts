import { randomInt, randomUUID } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../logger.ts'
import { processIdentity, processPlace } from './processes.ts'

export class CannotStart extends Error {
  override name = 'CannotStart'
}

export class WasKilled extends CannotStart {}

export class Taken extends CannotStart {}

/** A command's database ends with the command. */
export type Purpose = 'server' | 'command'

interface Claim {
  pid: number
  identity: string | undefined
  place?: string
  purpose?: Purpose
  host?: string
}

export interface Claimant extends Claim {
  /** The process is in another container or on another machine, so we can only see whether it renews its lock. */
  isElsewhere: boolean
}

export interface DataDirClaim {
  announce(host: string): void
  release(): void
}

export interface ClaimOptions {
  purpose?: Purpose
  /** How long to wait for a process that is stopping, in milliseconds. */
  patience?: number
  log?: Pick<Logger, 'warn'>
}

/** How often a lock is renewed, and the age at which the lock of an invisible process counts as expired. */
const renewal = { everyMs: 2_000, overMs: 10_000 }

const lockFile = (dataDir: string) => join(dataDir, 'postgres.lock')
const flagPrefix = 'postgres.claim-'

function readClaim(file: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Claim
  } catch {
    return undefined
  }
}

const renewedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

type Judge = (file: string, now: number) => Claimant | undefined

/**
 * Checks locks of this machine and PID namespace by their process. Other locks expire when their file is old, or when
 * it doesn't change while we watch: the clock may have been set back.
 */
function createJudge(): Judge {
  const watched = new Map<string, number>()
  return (file, now) => {
    const claim = readClaim(file)
    if (!claim?.identity) return undefined
    if ((claim.place ?? processPlace()) === processPlace())
      return processIdentity(claim.pid) === claim.identity ? { ...claim, isElsewhere: false } : undefined
    const renewed = renewedAt(file)
    const key = `${file} ${renewed}`
    const since = watched.get(key) ?? performance.now()
    watched.set(key, since)
    const isOver = now - renewed >= renewal.overMs || performance.now() - since >= renewal.overMs
    return isOver ? undefined : { ...claim, isElsewhere: true }
  }
}

export function claimant(dataDir: string): Claimant | undefined {
  return createJudge()(lockFile(dataDir), Date.now())
}

function write(file: string, claim: Claim): void {
  const unfinished = join(dirname(file), `.${basename(file)}.${process.pid}`)
  writeFileSync(unfinished, JSON.stringify(claim), { mode: 0o600 })
  renameSync(unfinished, file)
}

/** Rewrites the same bytes in place, which updates the modification time; readers never see a partial lock. */
function renew(file: string, claim: Claim): void {
  const opened = openSync(file, 'r+')
  try {
    writeSync(opened, JSON.stringify(claim), 0)
  } finally {
    closeSync(opened)
  }
}

/**
 * Takes the lock file unless another process holds it or is about to take it, in which case that process is returned.
 * Each contender creates its own flag file before looking for others' files, so at most one succeeds.
 */
function takeOver(dataDir: string, own: Claim, judge: Judge): Claimant | undefined {
  const flag = `${flagPrefix}${randomUUID()}`
  write(join(dataDir, flag), own)
  try {
    // The file system's clock may differ from ours.
    const now = renewedAt(join(dataDir, flag))
    for (const name of readdirSync(dataDir)) {
      if (name === flag || !name.startsWith(flagPrefix)) continue
      const other = judge(join(dataDir, name), now)
      if (other) return other
      rmSync(join(dataDir, name), { force: true })
    }
    const owner = judge(lockFile(dataDir), now)
    if (!owner) write(lockFile(dataDir), own)
    return owner
  } finally {
    rmSync(join(dataDir, flag), { force: true })
  }
}

/** Renews the lock for processes that can't see ours, and removes it on any regular exit. */
function keep(dataDir: string, own: Claim): DataDirClaim {
  const file = lockFile(dataDir)
  const isOurs = () => {
    const { pid, identity, place } = readClaim(file) ?? {}
    return pid === own.pid && identity === own.identity && place === own.place
  }
  let current = own
  const renewOurs = () => {
    try {
      if (isOurs()) renew(file, current)
      else if (!readClaim(file)) write(file, current)
    } catch {
      // The disk may be full or briefly unavailable; the next renewal retries.
    }
  }
  const renewing = setInterval(renewOurs, renewal.everyMs).unref()
  const release = () => {
    clearInterval(renewing)
    process.off('exit', release)
    if (isOurs()) rmSync(file, { force: true })
  }
  process.once('exit', release)
  return {
    announce(host) {
      current = { ...own, host }
      write(file, current)
    },
    release,
  }
}

/**
 * Makes this process the only one that runs a database in `dataDir`. Ignores the lock of a killed process, and waits
 * `patience` ms for a stopping one. Throws `Taken` if another process keeps its lock.
 */
export async function claimDataDir(dataDir: string, options: ClaimOptions = {}): Promise<DataDirClaim> {
  const { purpose = 'server', patience = 3_000, log } = options
  const { pid } = process
  const own: Claim = { pid, identity: processIdentity(pid), place: processPlace(), purpose }
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const judge = createJudge()
  const since = performance.now()
  let first: number | undefined
  for (let other = takeOver(dataDir, own, judge); other; other = takeOver(dataDir, own, judge)) {
    const renewed = renewedAt(lockFile(dataDir))
    if (first === undefined && other.isElsewhere) log?.warn(waiting(dataDir))
    first ??= renewed
    // An invisible process is only known to be alive once it renews its lock.
    const lives = !other.isElsewhere || renewed !== first
    if (lives && performance.now() - since > patience) throw taken(dataDir, other)
    await sleep(randomInt(50, 150))
  }
  return keep(dataDir, own)
}

const waiting = (dataDir: string) =>
  `${dataDir} was in use in another container or on another machine a moment ago: waiting up to ${renewal.overMs / 1_000} s to see whether it still is`

function taken(dataDir: string, { pid, purpose, isElsewhere }: Claimant): Taken {
  const who = purpose === 'command' ? 'A command' : 'Another Duet'
  const where = isElsewhere ? 'in another container or on another machine' : `process ${pid}`
  const way = purpose === 'command' ? 'wait until it has ended' : 'stop it first'
  return new Taken(`${who} (${where}) runs on ${dataDir}: ${way}, or set DATA_DIR to another folder.`)
}
