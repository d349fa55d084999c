import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processIdentity } from './processes.ts'

/** Why the server cannot start, in one line for the person who started it. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}

/** The same of a program that somebody or something killed: the next try may do better. */
export class WasKilled extends CannotStart {}

interface Claim {
  pid: number
  identity: string | undefined
  /** The folder of the database's socket, from the moment it can be reached. */
  host?: string
}

export interface DataDirClaim {
  /** Tells other processes where the database can be reached. */
  announce(host: string): void
  release(): void
}

const lockFile = (dataDir: string) => join(dataDir, 'postgres.lock')

function readClaim(dataDir: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(lockFile(dataDir), 'utf8')) as Claim
  } catch {
    return undefined
  }
}

/** Whoever runs a database in `dataDir` right now; undefined when nobody does. */
export function claimant(dataDir: string): Claim | undefined {
  const claim = readClaim(dataDir)
  const alive = claim?.identity !== undefined && processIdentity(claim.pid) === claim.identity
  return alive ? claim : undefined
}

function write(dataDir: string, claim: Claim): void {
  const unfinished = `${lockFile(dataDir)}.${process.pid}`
  writeFileSync(unfinished, JSON.stringify(claim), { mode: 0o600 })
  renameSync(unfinished, lockFile(dataDir))
}

/**
 * Makes this process the only one that runs a database in `dataDir`. Whoever was killed has no claim any more; one that
 * is just stopping gets `patience` ms for it. Throws `CannotStart` when another keeps it.
 */
export async function claimDataDir(dataDir: string, patience = 3_000): Promise<DataDirClaim> {
  const own: Claim = { pid: process.pid, identity: processIdentity(process.pid) }
  const deadline = Date.now() + patience
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  while (claimant(dataDir)) {
    if (Date.now() > deadline) throw taken(dataDir, claimant(dataDir))
    await sleep(50)
  }
  write(dataDir, own)
  // Two may have found it free in the same moment: the last to write has it.
  await sleep(20)
  if (readClaim(dataDir)?.pid !== process.pid) throw taken(dataDir, readClaim(dataDir))
  return {
    announce: (host) => write(dataDir, { ...own, host }),
    release() {
      if (readClaim(dataDir)?.pid === process.pid) rmSync(lockFile(dataDir), { force: true })
    },
  }
}

function taken(dataDir: string, claim: Claim | undefined): CannotStart {
  return new CannotStart(
    `Another Duet (process ${claim?.pid ?? 'unknown'}) runs on ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
  )
}
