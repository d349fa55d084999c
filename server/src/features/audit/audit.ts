import { createHash } from 'node:crypto'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform, Tx } from '../../platform/platform.ts'
import { type ChainRow, findChain, insertEntry } from './audit.queries.ts'

export interface NewAuditEntry {
  /** Null if the software acted on its own. */
  actorId: string | null
  action: string
  target: Record<string, string | number | null>
  reason: string
  /** Must contain nothing private, because the log is kept longer than people's data. */
  details?: Record<string, unknown>
  requestId?: string | undefined
}

/**
 * Appends to the audit log in the same transaction as the action, so that neither is stored without the other. Call it
 * last in the transaction, because it waits for all other transactions that append.
 */
export function recordInAudit(tx: Pick<Tx, 'db' | 'clock'>, entry: NewAuditEntry): Promise<void> {
  const { actorId, action, target, reason, details = {}, requestId = null } = entry
  return insertEntry(tx.db, { at: tx.clock.now(), actorId, action, target, reason, details, requestId })
}

export interface ChainState {
  entries: number
  /** The number of the first entry that was edited or moved; null if all are intact. */
  firstBroken: number | null
  head: { seq: number; hash: string }
}

const pageSize = 1_000
const beginning = Buffer.alloc(32)

function isWhole(row: ChainRow, seq: number, before: Buffer): boolean {
  const seal = createHash('sha256').update(row.prev_hash).update(row.text).digest()
  return row.seq === seq && row.prev_hash.equals(before) && row.hash.equals(seal)
}

/**
 * Reads the whole audit log and checks every seal. With `anchor`, an earlier `head`, it also checks that this entry
 * still exists unchanged, which is the only way to detect that entries were cut off the end.
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

export async function watchChain(platform: Pick<Platform, 'db' | 'log'>): Promise<void> {
  const { entries, firstBroken } = await verifyChain(platform)
  if (firstBroken !== null) platform.log.error({ firstBroken }, 'the audit log has been changed')
  else platform.log.info({ entries }, 'the audit log is whole')
}

export const auditJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'watch-audit-log', cron: '53 3 * * *', run: () => watchChain(platform) },
]
