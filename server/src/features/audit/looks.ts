import { LRUCache } from 'lru-cache'
import { minutes } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { recordInAudit } from './audit.ts'

const looks = {
  reports: { action: 'evidence_viewed', reason: 'review of open reports' },
  appeals: { action: 'evidence_viewed', reason: 'review of open appeals' },
  people: { action: 'people_viewed', reason: 'how searches work out for them' },
}

// Prevents a new entry for every page an administrator turns.
const known = new LRUCache<string, true>({ max: 20_000, ttl: minutes(60) })

/** Records in the audit log that an administrator is about to see private data, at most once an hour for each case. */
export async function noteLooks(
  platform: Platform,
  viewerId: string,
  of: keyof typeof looks,
  ids: readonly string[],
): Promise<void> {
  const unseen = ids.filter((id) => !known.has(`${viewerId} ${of} ${id}`))
  if (unseen.length === 0) return
  const { action, reason } = looks[of]
  await transaction(platform, (tx) =>
    recordInAudit(tx, {
      actorId: viewerId,
      action,
      target: { kind: of },
      reason,
      details: { ids: unseen },
    }),
  )
  for (const id of unseen) known.set(`${viewerId} ${of} ${id}`, true)
}
