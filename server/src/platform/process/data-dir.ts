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

/** Why the server cannot start, in one line for the person who started it. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}

/** The same for a program that was killed: the next try may do better. */
export class WasKilled extends CannotStart {}

/** The data directory belongs to another process. */
export class Taken extends CannotStart {}

/** What a process runs the database for: a command ends by itself, and its database with it. */
export type Purpose = 'server' | 'command'

interface Claim {
  pid: number
  identity: string | undefined
  /** Where the process id means something; see `processPlace`. */
  place?: string
  purpose?: Purpose
  /** The folder of the database's socket as its owner names it, from the moment it can be reached. */
  host?: string
}

/** A claim of another process that runs, or that may run where we cannot see it. */
export interface Claimant extends Claim {
  /** It runs in another container or on another machine, so all we see is that its claim is renewed. */
  isElsewhere: boolean
}

export interface DataDirClaim {
  /** Tells other processes where the database can be reached. */
  announce(host: string): void
  release(): void
}

export interface ClaimOptions {
  purpose?: Purpose
  /** How long one that is just stopping is waited for, in ms. */
  patience?: number
  log?: Pick<Logger, 'warn'>
}

/** How often a claim is renewed, and after how long without it the claim of a process we cannot see is over. */
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

/** Says whose claim a file holds; undefined when it is over. */
type Judge = (file: string, now: number) => Claimant | undefined

/**
 * Judges claims of this place by their process. Those of another are over when their file is old, or stays as it is
 * while we watch it: a clock may have been put back.
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

/** The process that runs a database in `dataDir` right now; undefined when none does. */
export function claimant(dataDir: string): Claimant | undefined {
  return createJudge()(lockFile(dataDir), Date.now())
}

function write(file: string, claim: Claim): void {
  const unfinished = join(dirname(file), `.${basename(file)}.${process.pid}`)
  writeFileSync(unfinished, JSON.stringify(claim), { mode: 0o600 })
  renameSync(unfinished, file)
}

/** Writes the same bytes in place: readers never find half a claim, and the file system says when it was. */
function renew(file: string, claim: Claim): void {
  const opened = openSync(file, 'r+')
  try {
    writeSync(opened, JSON.stringify(claim), 0)
  } finally {
    closeSync(opened)
  }
}

/**
 * Takes the lock file when no other process has it or is about to take it; gives the process that has it. Every
 * contender raises a flag of its own first and looks for others' then, so of two at most one goes on.
 */
function takeOver(dataDir: string, own: Claim, judge: Judge): Claimant | undefined {
  const flag = `${flagPrefix}${randomUUID()}`
  write(join(dataDir, flag), own)
  try {
    // The time of the file system, which need not be ours.
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

/** Keeps the claim fresh for those who cannot see our process, and drops it however the process ends by itself. */
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
      // A disk that is full or away for a moment: the next time.
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
 * Makes this process the only one that runs a database in `dataDir`. A process that was killed has no claim any more;
 * one that is just stopping gets `patience` ms. Throws `Taken` when another keeps it.
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
    // One that cannot be seen is only known to live when it renews its claim.
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
