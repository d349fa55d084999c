import type { AuditEntry } from '@duet/contract/moderation.ts'
import { readCursor, writeCursor } from '../../platform/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { type EntryRow, findEntries } from './audit.queries.ts'

const list = 'audit'

function entryView(row: EntryRow): AuditEntry {
  const { seq, action, target, reason, details, actor_id: id, actor_name: name } = row
  const actor = id === null ? null : { id, name: name ?? '' }
  return {
    ...{ seq, actor, action, target, reason, details },
    at: row.at.toISOString(),
    hash: row.hash.toString('hex'),
  }
}

/** A page of what administrators did, newest first. */
export async function listAuditEntries(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const before = cursor ? Number(readCursor(secrets, list, cursor)[0]) : undefined
  const rows = await findEntries(db, before, limit + 1)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { entries: page.map(entryView), nextCursor: last ? writeCursor(secrets, list, [last.seq]) : null }
}
