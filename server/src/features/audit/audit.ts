import { createHash } from 'node:crypto'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform, Tx } from '../../platform/platform.ts'
import { type ChainRow, findChain, insertEntry } from './audit.queries.ts'

/** Something that an administrator did, or Duet did by itself. */
export interface NewAuditEntry {
  /** Null: Duet itself. */
  actorId: string | null
  /** In snake_case: `report_decided`. */
  action: string
  /** What it was done to, by ids and kinds. */
  target: Record<string, string | number | null>
  /** Why, in words. */
  reason: string
  /** No private words: the log is kept when everything else of a person is gone. */
  details?: Record<string, unknown>
  requestId?: string | undefined
}

/**
 * Appends to the audit log, within the transaction of the act itself: neither is kept without the other. It waits for
 * every other entry that is on its way, so it comes last in its transaction.
 */
export function recordInAudit(tx: Pick<Tx, 'db' | 'clock'>, entry: NewAuditEntry): Promise<void> {
  const { actorId, action, target, reason, details = {}, requestId = null } = entry
  return insertEntry(tx.db, { at: tx.clock.now(), actorId, action, target, reason, details, requestId })
}

export interface ChainState {
  entries: number
  /** The number of the first entry that was edited, or stands where another one was; null when all is well. */
  firstBroken: number | null
  /** The seal of the last entry that is well. */
  head: { seq: number; hash: string }
}

const pageSize = 1_000
const beginning = Buffer.alloc(32)

function isWhole(row: ChainRow, seq: number, before: Buffer): boolean {
  const seal = createHash('sha256').update(row.prev_hash).update(row.text).digest()
  return row.seq === seq && row.prev_hash.equals(before) && row.hash.equals(seal)
}

/**
 * Reads the whole audit log and compares every seal. With `anchor`, a head that was noted earlier, also whether that
 * entry is still there as it was: entries cut off the end are found in no other way.
 */
export async function verifyChain(
  { db }: Pick<Platform, 'db'>,
  anchor?: { seq: number; hash: string },
): Promise<ChainState> {
  let head: { seq: number; hash: Buffer } = { seq: 0, hash: beginning }
  let met = anchor === undefined || anchor.seq === 0
  for (;;) {
    const rows = await findChain(db, head.seq, pageSize)
    for (const row of rows) {
      if (!isWhole(row, head.seq + 1, head.hash)) return stateOf(head, head.seq + 1)
      head = row
      if (row.seq === anchor?.seq) {
        if (row.hash.toString('hex') !== anchor.hash) return stateOf(head, row.seq)
        met = true
      }
    }
    if (rows.length < pageSize) return stateOf(head, met ? null : head.seq + 1)
  }
}

function stateOf({ seq, hash }: { seq: number; hash: Buffer }, firstBroken: number | null): ChainState {
  return { entries: seq, firstBroken, head: { seq, hash: hash.toString('hex') } }
}

/** Looks at the whole audit log and says loudly when something in it was changed. */
export async function watchChain(platform: Pick<Platform, 'db' | 'log'>): Promise<void> {
  const { entries, firstBroken } = await verifyChain(platform)
  if (firstBroken !== null) platform.log.error({ firstBroken }, 'the audit log has been changed')
  else platform.log.info({ entries }, 'the audit log is whole')
}

export const auditJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'watch-audit-log', cron: '53 3 * * *', run: () => watchChain(platform) },
]
